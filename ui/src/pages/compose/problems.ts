import { namePattern, nameRule, uuidPattern } from '../../../../src/wire/scalar.js';
import { jsonProblem } from '../../actions/json-text.js';
import { namesIn } from '../../actions/names-in.js';
import type { DraftItem, DraftMessage } from './draft-message.js';
import { recipientsOf } from './recipients.js';

export interface Problems {
  readonly recipients: string | undefined;
  readonly topics: string | undefined;
  readonly tag: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly cid: string | undefined;
  /** The problem of the list of items. */
  readonly items: string | undefined;
  readonly byItem: ReadonlyMap<string, string>;
}

const maxTopics = 10;
const maxKeyCharacters = 256;

/** Validates a draft. The node validates the message again. */
export function problemsOf(draft: DraftMessage): Problems {
  const { kind, group, items, idempotencyKey } = draft;
  const hasNoRecipient = kind === 'private' && group === '' && recipientsOf(draft).length === 0;
  const found = items.map((item) => [item.key, itemProblem(item)] as const);
  return {
    recipients: hasNoRecipient ? 'Select at least one party.' : undefined,
    topics: topicsProblem(namesIn(draft.topics)),
    tag: tagProblem(draft),
    idempotencyKey:
      idempotencyKey.length <= maxKeyCharacters ? undefined : `At most ${maxKeyCharacters} characters are allowed.`,
    cid: cidProblem(draft),
    items: items.length === 0 && kind === 'broadcast' ? 'A broadcast needs at least one data item.' : undefined,
    byItem: new Map(found.flatMap(([key, problem]) => (problem === undefined ? [] : [[key, problem] as const]))),
  };
}

/** The first problem in the order of the form; undefined if there is none. */
export function firstProblem(problems: Problems): string | undefined {
  const { recipients, byItem, items, topics, tag, idempotencyKey, cid } = problems;
  return recipients ?? [...byItem.values()][0] ?? items ?? topics ?? tag ?? idempotencyKey ?? cid;
}

function tagProblem({ tag, ...draft }: DraftMessage): string | undefined {
  if (tag === '' && needsReply(draft)) return 'A message that waits for a reply needs a tag.';
  return tag === '' || namePattern.test(tag) ? undefined : `A tag has ${nameRule}.`;
}

function cidProblem({ cid, ...draft }: DraftMessage): string | undefined {
  if (cid === '') return undefined;
  if (needsReply(draft)) return 'A reply cannot wait for a reply itself.';
  return uuidPattern.test(cid) ? undefined : 'Enter the full id of a message.';
}

function needsReply({ kind, waitsForReply }: Pick<DraftMessage, 'kind' | 'waitsForReply'>): boolean {
  return kind === 'private' && waitsForReply;
}

function topicsProblem(topics: readonly string[]): string | undefined {
  if (topics.length > maxTopics) return `A message has at most ${maxTopics} topics.`;
  const bad = topics.find((topic) => !namePattern.test(topic));
  return bad === undefined ? undefined : `"${bad}" is not a valid topic: a topic has ${nameRule}.`;
}

function itemProblem({ kind, text, id }: DraftItem): string | undefined {
  switch (kind) {
    case 'json':
      return jsonProblem(text);
    case 'text':
      return undefined;
    case 'file':
      return id === '' ? 'The file is not uploaded yet.' : undefined;
    case 'data':
      return uuidPattern.test(id) ? undefined : 'Enter the full id of a data item on this node.';
  }
}
