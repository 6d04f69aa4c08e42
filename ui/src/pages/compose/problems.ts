import { namePattern, nameRule, uuidPattern } from '../../../../src/wire/scalar.js';
import { jsonProblem } from '../../actions/json-text.js';
import type { DraftItem, DraftMessage } from './draft-message.js';
import { namesIn, recipientsOf } from './recipients.js';

/** What must be mended before a message can be sent, by field. */
export interface Problems {
  readonly recipients: string | undefined;
  readonly topics: string | undefined;
  readonly tag: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Of the message as a whole. */
  readonly items: string | undefined;
  readonly byItem: ReadonlyMap<string, string>;
}

const maxTopics = 10;
const maxKeyCharacters = 256;

/** Looks at a message before it is sent. The node looks again. */
export function problemsOf(draft: DraftMessage): Problems {
  const { kind, group, items, tag, idempotencyKey } = draft;
  const hasNobody = kind === 'private' && group === '' && recipientsOf(draft).length === 0;
  const found = items.map((item) => [item.key, itemProblem(item)] as const);
  return {
    recipients: hasNobody ? 'Choose at least one party.' : undefined,
    topics: topicsProblem(namesIn(draft.topics)),
    tag: tag === '' || namePattern.test(tag) ? undefined : `A tag has ${nameRule}.`,
    idempotencyKey:
      idempotencyKey.length <= maxKeyCharacters ? undefined : `At most ${maxKeyCharacters} characters fit.`,
    items: items.length === 0 && kind === 'broadcast' ? 'A broadcast needs at least one value or file.' : undefined,
    byItem: new Map(found.flatMap(([key, problem]) => (problem === undefined ? [] : [[key, problem] as const]))),
  };
}

/** The first of them in the order of the form; undefined when the message can be sent. */
export function firstProblem({ recipients, byItem, items, topics, tag, idempotencyKey }: Problems): string | undefined {
  return recipients ?? [...byItem.values()][0] ?? items ?? topics ?? tag ?? idempotencyKey;
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
