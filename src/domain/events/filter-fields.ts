import type { Event } from '../../wire/events/event-record.js';
import { spellingsOf } from '../../wire/lists/field.js';

/** The fields of an event that a filter reads. A missing value counts as empty text (docs/api.md §14.2). */
export interface Filterable {
  readonly type: string;
  /** The topics of the message, for a message event. */
  readonly topics: readonly string[];
  /** The author's DID, the group hash and the tag of the message; `null` for other events. */
  readonly author: string | null;
  readonly group: string | null;
  readonly tag: string | null;
  /** Type of the transaction. */
  readonly txtype: string | null;
  /** The name of a blockchain event and the id of its listener; `null` for other events. */
  readonly chainName: string | null;
  readonly listener: string | null;
}

type Reading = (event: Filterable) => readonly string[];

/** The texts of an event for an expression, by key in canonical spelling; one match suffices. */
export const filterReadings: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['events', ({ type }) => [type]],
  ['topic', ({ topics }) => topics],
  // Only message events have an author.
  ['message.topics', ({ author, topics }) => (author === null ? [] : topics)],
  ['message.author', ({ author }) => (author === null ? [''] : spellingsOf('did', author, { ignoresCase: false }))],
  ['message.group', ({ group }) => [group ?? '']],
  ['message.tag', ({ tag }) => [tag ?? '']],
  ['blockchainevent.listener', ({ listener }) => [listener ?? '']],
  ['blockchainevent.name', ({ chainName }) => [chainName ?? '']],
  ['transaction.type', ({ txtype }) => spellingsOf('txtype', txtype ?? '', { ignoresCase: false })],
]);

/** Alternative spellings of keys: FireFly's deprecated ones, and its names on sockets (docs/api.md §14.2, §15.1). */
export const filterAliases: Readonly<Record<string, string>> = {
  topics: 'topic',
  'message.topic': 'message.topics',
  author: 'message.author',
  group: 'message.group',
  tag: 'message.tag',
  'blockchain.listener': 'blockchainevent.listener',
  'blockchain.name': 'blockchainevent.name',
};

/** The canonical spelling of a key; an unknown key unchanged. */
export function filterKeyOf(spelling: string): string {
  return Object.hasOwn(filterAliases, spelling) ? (filterAliases[spelling] ?? spelling) : spelling;
}

/** The fields of an event as it is served, with the records that it refers to. */
export function filterableOf({ type, topic, message, transaction, blockchainEvent }: Event): Filterable {
  const header = message?.header;
  return {
    type,
    topics: header?.topics ?? (topic === undefined ? [] : [topic]),
    author: header?.author ?? null,
    group: header?.group ?? null,
    tag: header?.tag ?? null,
    txtype: header?.txtype ?? transaction?.type ?? blockchainEvent?.tx.type ?? null,
    chainName: blockchainEvent?.name ?? null,
    listener: blockchainEvent?.listener ?? null,
  };
}
