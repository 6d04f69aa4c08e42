import type { Reader } from '../../../ports/database.js';
import type { BatchRow, MessageRow } from '../../../ports/tables/tables.js';
import { above, every } from '../../../ports/tables/where.js';
import { type BatchName, findBatches, referenceKey } from '../../state/messages/exact.js';

/**
 * Batches that may count the typed values of some messages. All messages of a batch share its steps, so after a restart
 * the steps of decided messages are counted again, from their items. An author may have pinned a message in several
 * batches, and the message's row names only one of them, so batches are found by their manifests.
 */
export interface Counting {
  /** Batches that list one of the messages, and batches whose payload is not here yet. */
  readonly batches: readonly BatchName[];
  /** Sequence of the newest batch that was read. */
  readonly newest: number;
}

/** A pinned message with typed values. */
export type CountedMessage = Pick<MessageRow, 'id' | 'hash' | 'author'>;

export function countedOf({ id, hash, author }: MessageRow): CountedMessage {
  return { id, hash, author };
}

/** Small, since a batch lists up to two hundred messages. */
const maxRead = 50;

/** Finds the undecided batches after a sequence that may count these messages, by the messages' authors. */
export async function findCounting(
  database: Reader,
  messages: readonly CountedMessage[],
  after: number,
): Promise<Counting> {
  const author = [...new Set(messages.map((message) => message.author))];
  const counted = new Set(messages.map(referenceKey));
  const batches: BatchName[] = [];
  for (let newest = after; ;) {
    const behind = { namespace: every, author, state: ['held', 'wanted'], sequence: above(newest) } as const;
    const rows = author.length === 0 ? [] : await database.rows('batches', behind, { limit: maxRead });
    for (const row of rows) {
      if (row.state === 'wanted' || (await isCounting(database, row, counted))) batches.push(row);
    }
    newest = rows.at(-1)?.sequence ?? newest;
    if (rows.length < maxRead) return { batches, newest };
  }
}

/** Whether one of these batches is here and counts one of the messages. */
export async function isStillCounted(
  unit: Reader,
  batches: readonly BatchName[],
  messages: readonly CountedMessage[],
): Promise<boolean> {
  const counted = new Set(messages.map(referenceKey));
  for (let start = 0; start < batches.length; start += maxRead) {
    for (const row of await findBatches(unit, batches.slice(start, start + maxRead))) {
      if (row.state === 'held' && (await isCounting(unit, row, counted))) return true;
    }
  }
  return false;
}

async function isCounting(database: Reader, batch: BatchRow, counted: ReadonlySet<string>): Promise<boolean> {
  const { id, hash: batchHash, signer, manifest } = batch;
  if (!(manifest ?? []).some((entry) => counted.has(referenceKey(entry)))) return false;
  return database.has('pins', { batch: id, batchHash, signer, spent: false });
}
