import type { eventListFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Parameters } from '../../client/page.js';
import { textOf } from '../../wire/json/json.js';
import { uuidPattern } from '../../wire/scalar.js';
import { requireEventType } from './filters.js';
import { dataOf } from './line.js';
import { withMember } from '../requests/json-text.js';
import { type Collection, printList } from '../requests/list.js';
import { ageColumn } from '../terminal/table.js';
import type { CommandContext } from '../requests/target.js';
import { safe, shortId } from '../terminal/text.js';
import { timeWord } from '../terminal/time-word.js';

export type EventListFlags = FlagsOf<typeof eventListFlags>;

/** `stack events list`: lists the newest events, or with `--since` the first ones after it. @throws as `printList` */
export async function printEvents(flags: EventListFlags, context: CommandContext): Promise<void> {
  const nowMs = Date.now();
  const { since, type, topic } = flags;
  // The node checks a value with an operator.
  if (/^\w*$/.test(type ?? '')) requireEventType(type === undefined ? undefined : `^${type}$`, '--type');
  const parameters: Parameters = [
    ...(type === undefined ? [] : [['type', type] as const]),
    ...(topic === undefined ? [] : [['topic', topic] as const]),
    ...(since === undefined ? [] : [sinceParameter(since, nowMs)]),
    ...(since === undefined || flags.all ? [] : [['sort', 'sequence'] as const]),
  ];
  const collection = eventCollection(since === undefined, nowMs);
  await printList(flags, flags['with-data'] === true ? withData(collection) : collection, parameters, context);
}

function eventCollection(isReversed: boolean, nowMs: number): Collection<'listEvents'> {
  return {
    route: 'listEvents',
    noun: 'events',
    isReversed,
    keys: { id: ({ id }) => id, field: 'sequence', key: ({ sequence }) => String(sequence), isAscending: true },
    columns: [
      { name: 'sequence', text: ({ sequence }) => String(sequence) },
      { name: 'type', text: ({ type }) => safe(type) },
      { name: 'reference', text: ({ reference }, isTerminal) => (isTerminal ? shortId(reference) : reference) },
      { name: 'topic', text: ({ topic = '' }, isTerminal) => topicText(topic, isTerminal) },
      ageColumn('created', ({ created }) => created, nowMs),
    ],
  };
}

/** The topic of an event without a message may be an id. */
function topicText(topic: string, isTerminal: boolean): string {
  return isTerminal && uuidPattern.test(topic) ? shortId(topic) : safe(topic);
}

/** Adds the values of messages as a last column, and in JSON as `stack.data`, as in `events tail`. */
function withData(collection: Collection<'listEvents'>): Collection<'listEvents'> {
  const values = new WeakMap<object, string>();
  return {
    ...collection,
    columns: [...collection.columns, { name: 'data', text: (event) => safe(values.get(event) ?? '') }],
    async complete(client, { value, text }) {
      if (!value.type.startsWith('message_')) return { value, text };
      const data = await dataOf({ client }, value.reference);
      values.set(value, data.values.join(' '));
      return { value, text: withMember(text, 'stack', withMember(textOf({ schemaVersion: 1 }), 'data', data.text)) };
    },
  };
}

/** Converts `--since` to a filter of the node. A plain number is the sequence after which events are listed. */
function sinceParameter(since: string, nowMs: number): readonly [string, string] {
  if (/^\d+$/.test(since)) return ['sequence', `[>${since}`];
  return ['created', `[>=${timeWord(since, '--since', nowMs, 'a sequence number, ')}`];
}
