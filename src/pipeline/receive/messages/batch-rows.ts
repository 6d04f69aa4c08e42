import { pinsOf } from '../../../domain/messages/pin.js';
import type { Database } from '../../../ports/database.js';
import type { BatchRow, ManifestEntry, NewRow } from '../../../ports/tables/tables.js';
import type { BatchPayload } from '../../../wire/messages/batch.js';
import { describedItems, listedItems, newData, newMessage } from '../../common/rows.js';

/** The rows of a valid payload, built once, outside the units that write them. */
export interface BatchRows {
  readonly manifest: readonly ManifestEntry[];
  readonly data: readonly NewRow<'data'>[];
  readonly messages: readonly NewRow<'messages'>[];
}

/** Messages stored in one unit when a large batch is stored in parts, so that other units are not delayed for long. */
const maxPart = 50;

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
    messages: messages.map((message) => {
      const place = { items, state: 'ready', pins: pinsOf(message), nonces: message.nonces } as const;
      return newMessage(message, { ...place, batch, txid: batch.txid });
    }),
  };
}

/**
 * Stores the messages and data of a large batch in parts, before the unit that marks it as held. Nothing decides them
 * until then, and after a crash the batch is completed when it comes again. Returns the rows still to be written.
 */
export async function storeAhead(database: Database, rows: BatchRows): Promise<BatchRows> {
  const { data, messages } = rows;
  if (messages.length <= maxPart) return rows;
  const left = new Map(data.map((item) => [item.id, item]));
  for (let from = 0; from < messages.length; from += maxPart) {
    const part = messages.slice(from, from + maxPart);
    const items = part.flatMap((message) => message.data.flatMap(({ id }) => left.get(id) ?? []));
    for (const { id } of items) left.delete(id);
    const write = { data: [...new Set(items)], messages: part };
    await database.transaction(
      async (unit) => {
        await unit.put('data', write.data);
        await unit.put('messages', write.messages);
      },
      { isBulk: true },
    );
  }
  // The caller puts the messages again, so they are returned; the data items stay while their messages are undecided.
  return { ...rows, data: [] };
}
