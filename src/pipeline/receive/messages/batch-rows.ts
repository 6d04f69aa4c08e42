import { pinsOf } from '../../../domain/messages/pin.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { BatchRow, ManifestEntry, NewRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import type { BatchPayload } from '../../../wire/messages/batch.js';
import { maxUsualContexts, type Throttle } from '../../throttle.js';
import { describedItems, listedItems, newMessage } from '../../state/messages/message-row.js';
import { newData } from '../../state/data/data-row.js';

/** The rows of a valid payload, built once, outside the units that write them. */
export interface BatchRows {
  readonly manifest: readonly ManifestEntry[];
  readonly data: readonly NewRow<'data'>[];
  /** Data items that were stored before the unit that holds the batch. */
  readonly ahead: readonly NewRow<'data'>[];
  readonly messages: readonly NewRow<'messages'>[];
}

/** Messages stored in one unit when a batch is stored in parts, so that other units are not delayed for long. */
const maxPart = 50;
/** The limit in contexts. */
const maxContexts = 100;

export function rowsOfBatch(payload: BatchPayload, batch: Pick<BatchRow, 'id' | 'hash' | 'txid'>): BatchRows {
  const { namespace, messages, data } = payload;
  const items = describedItems(data);
  return {
    manifest: messages.map((message) => ({
      id: message.header.id,
      hash: message.hash,
      topics: message.header.topics.length,
      items: listedItems(message.data, items),
    })),
    data: data.map((item) => newData(namespace, item, items.get(item.id)?.seal)),
    ahead: [],
    messages: messages.map((message) => {
      const place = { items, state: 'ready', pins: pinsOf(message), nonces: message.nonces } as const;
      return newMessage(message, { ...place, batch, txid: batch.txid });
    }),
  };
}

/**
 * Stores the messages and data of a large batch in parts, before the unit that marks it as held. Nothing decides them
 * until then, and after a crash the batch is completed when it is received again. Returns the rows still to be written.
 */
export async function storeAhead({ database, throttle }: StoreParts, rows: BatchRows): Promise<BatchRows> {
  const { data, messages } = rows;
  if (messages.length <= maxPart) return rows;
  const left = new Map(data.map((item) => [item.id, item]));
  const isLarge = contextsOf(messages) > maxUsualContexts;
  for (const part of partsOf(messages)) {
    const items = part.flatMap((message) => message.data.flatMap(({ id }) => left.get(id) ?? []));
    for (const { id } of items) left.delete(id);
    const write = { data: [...new Set(items)], messages: part };
    const store = (): Promise<void> =>
      database.transaction(
        async (unit) => {
          await unit.put('data', write.data);
          await unit.put('messages', write.messages);
        },
        { isBulk: true },
      );
    await (isLarge ? throttle.run(store) : store());
  }
  return { ...rows, data: [], ahead: data };
}

/**
 * Writes the rows in the unit that holds the batch. Only undecided messages protect their items from deletion. Items
 * that were stored ahead for a message which another batch has decided may be gone, so they are put again.
 */
export async function putRows(unit: Unit, { data, ahead, messages }: BatchRows): Promise<void> {
  await unit.put('data', data);
  await unit.put('messages', messages);
  if (ahead.length === 0) return;
  const id = messages.map((message) => message.id);
  const decided = await unit.rows('messages', { namespace: every, id, state: ends }, { limit: maxDecided });
  const items = new Set(decided.flatMap((message) => message.data.map((item) => item.id)));
  const again = ahead.filter((item) => items.has(item.id));
  if (again.length > 0) await unit.put('data', again);
}

/** Others may use the ids too, so there can be more than the batch has messages. */
const maxDecided = 10_000;
const ends = ['confirmed', 'rejected'] as const;

interface StoreParts {
  readonly database: Database;
  readonly throttle: Pick<Throttle, 'run'>;
}

type NewMessages = BatchRows['messages'];

function partsOf(messages: NewMessages): readonly NewMessages[] {
  const parts: NewRow<'messages'>[][] = [[]];
  for (const message of messages) {
    const part = parts.at(-1);
    const isFull = part === undefined || part.length >= maxPart || contextsOf([...part, message]) > maxContexts;
    if (isFull) parts.push([message]);
    else part.push(message);
  }
  return parts.filter((part) => part.length > 0);
}

function contextsOf(messages: NewMessages): number {
  return messages.reduce((sum, { topics }) => sum + topics.length, 0);
}
