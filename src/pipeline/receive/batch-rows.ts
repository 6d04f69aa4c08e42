import { pinsOf } from '../../domain/pin.js';
import type { Database } from '../../ports/database.js';
import type { BatchRow, ManifestEntry, NewRow } from '../../ports/tables.js';
import type { BatchPayload } from '../../wire/batch.js';
import { describedItems, listedItems, newData, newMessage } from '../rows.js';

/** The rows of a valid payload, made once, before the units that write them. */
export interface BatchRows {
  readonly manifest: readonly ManifestEntry[];
  readonly data: readonly NewRow<'data'>[];
  readonly messages: readonly NewRow<'messages'>[];
}

/** How many messages one unit stores of a batch that is stored in parts: a full one holds up others for long. */
const maxPart = 50;

/** The rows of the payload of a batch. */
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
 * Stores messages and items of a large batch in parts, before the unit that holds it. Nothing decides them until then;
 * a crash in between leaves what the batch completes when it comes again. Resolves with the rows that are left.
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
  // An item of an undecided message stays. The messages are put again, which finds them in memory.
  return { ...rows, data: [] };
}
