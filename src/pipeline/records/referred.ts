import type { Database, Reader } from '../../ports/database.js';
import type { EventRow, MessageRow } from '../../ports/tables/tables.js';
import type { JsonText } from '../../wire/scalar.js';
import { exactMessages, referenceKey } from '../state/messages/exact.js';
import { type Embedded, readEmbedded } from './embedded.js';
import { embeddedMessage } from './message-shape.js';

export interface Referred {
  /** JSON of the message, if the event is about one. */
  readonly message: JsonText | undefined;
  readonly embedded: Embedded;
}

/** Reads the records that these events refer to, in order. */
export async function readReferred(database: Database, events: readonly EventRow[]): Promise<Referred[]> {
  const [messages, others] = await Promise.all([readMessageTexts(database, events), readEmbedded(database, events)]);
  return others.map((embedded, index) => ({ message: messages[index], embedded }));
}

/** In the order of the events; undefined for events about other records. */
async function readMessageTexts(
  database: Database,
  events: readonly EventRow[],
): Promise<readonly (JsonText | undefined)[]> {
  const messages = events.filter(isAboutMessage).map(({ reference: id, referenceHash: hash }) => ({ id, hash }));
  if (messages.length === 0) return [];
  const texts = await database.texts('messages', embeddedMessage, ['id', 'hash'], messages);
  let next = 0;
  return events.map((event) => (isAboutMessage(event) ? texts[next++] : undefined));
}

/** Reads the messages that these events are about, in order; undefined for events about other records. */
export async function readMessages(
  database: Reader,
  events: readonly EventRow[],
): Promise<readonly (MessageRow | undefined)[]> {
  const messages = await findMessages(database, events.filter(isAboutMessage));
  return events.map((event) => (isAboutMessage(event) ? messages.get(messageKey(event)) : undefined));
}

export function isAboutMessage({ type }: Pick<EventRow, 'type'>): boolean {
  return type === 'message_confirmed' || type === 'message_rejected';
}

function messageKey({ reference, referenceHash }: EventRow): string {
  return referenceKey({ id: reference, hash: referenceHash });
}

function findMessages(database: Reader, events: readonly EventRow[]): Promise<ReadonlyMap<string, MessageRow>> {
  const references = events.map(({ reference: id, referenceHash: hash }) => ({ id, hash }));
  return exactMessages(database, references);
}
