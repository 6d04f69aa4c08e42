import { namePattern, nameRule, uuidPattern } from '../../../../src/wire/scalar.js';
import { jsonProblem } from '../../actions/json-text.js';
import { namesIn } from '../../actions/names-in.js';
import type { DraftItem, DraftMessage } from './draft-message.js';
import { recipientsOf } from './recipients.js';

/** The problems that keep a message from being sent, by field. */
export interface Problems {
  readonly recipients: string | undefined;
  readonly topics: string | undefined;
  readonly tag: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly cid: string | undefined;
  /** The problem of the message as a whole. */
  readonly items: string | undefined;
  readonly byItem: ReadonlyMap<string, string>;
}

const maxTopics = 10;
const maxKeyCharacters = 256;

/** Looks at a message before it is sent. The node looks again. */
export function problemsOf(draft: DraftMessage): Problems {
  const { kind, group, items, idempotencyKey } = draft;
  const hasNobody = kind === 'private' && group === '' && recipientsOf(draft).length === 0;
  const found = items.map((item) => [item.key, itemProblem(item)] as const);
  return {
    recipients: hasNobody ? 'Choose at least one party.' : undefined,
    topics: topicsProblem(namesIn(draft.topics)),
    tag: tagProblem(draft),
    idempotencyKey:
      idempotencyKey.length <= maxKeyCharacters ? undefined : `At most ${maxKeyCharacters} characters fit.`,
    cid: cidProblem(draft),
    items: items.length === 0 && kind === 'broadcast' ? 'A broadcast needs at least one value or file.' : undefined,
    byItem: new Map(found.flatMap(([key, problem]) => (problem === undefined ? [] : [[key, problem] as const]))),
  };
}

/** The first problem in the order of the form; undefined when the message can be sent. */
export function firstProblem(problems: Problems): string | undefined {
  const { recipients, byItem, items, topics, tag, idempotencyKey, cid } = problems;
  return recipients ?? [...byItem.values()][0] ?? items ?? topics ?? tag ?? idempotencyKey ?? cid;
}

function tagProblem({ tag, ...draft }: DraftMessage): string | undefined {
  if (tag === '' && waitsForAnswer(draft)) return 'A request that waits for its answer needs a tag.';
  return tag === '' || namePattern.test(tag) ? undefined : `A tag has ${nameRule}.`;
}

function cidProblem({ cid, ...draft }: DraftMessage): string | undefined {
  if (cid === '') return undefined;
  if (waitsForAnswer(draft)) return 'An answer cannot wait for an answer itself.';
  return uuidPattern.test(cid) ? undefined : 'Give the whole id of a message.';
}

function waitsForAnswer({ kind, isAnswered }: Pick<DraftMessage, 'kind' | 'isAnswered'>): boolean {
  return kind === 'private' && isAnswered;
}

function topicsProblem(topics: readonly string[]): string | undefined {
  if (topics.length > maxTopics) return `A message has at most ${maxTopics} topics.`;
  const bad = topics.find((topic) => !namePattern.test(topic));
  return bad === undefined ? undefined : `A topic has ${nameRule}; "${bad}" does not fit.`;
}

function itemProblem({ kind, text, id }: DraftItem): string | undefined {
  switch (kind) {
    case 'json':
      return jsonProblem(text);
    case 'text':
      return undefined;
    case 'file':
      return id === '' ? 'The file is not on the node yet.' : undefined;
    case 'data':
      return uuidPattern.test(id) ? undefined : 'Give the whole id of a data item of this node.';
  }
}
