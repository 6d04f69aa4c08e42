import { networkLimits } from '../../domain/network/limits.js';
import { systemNamespace } from '../../domain/network/identity.js';
import type { Reader, Unit } from '../../ports/database.js';
import type { PinRow } from '../../ports/tables/tables.js';
import { atLeast, type Test } from '../../ports/tables/where.js';
import {
  type DueBatch,
  dueBatchKey,
  isDueBatchKey,
  isRemainder,
  markBatchesDue,
  readDueBatchKey,
  remainderKeys,
  usualKeys,
} from '../state/messages/due-batch.js';
import { isUnpinnedKey } from '../state/messages/unpinned-key.js';

/** The work of one step. */
export interface Due {
  readonly contexts: readonly string[];
  /** Keys of unpinned messages. */
  readonly unpinned: readonly string[];
  readonly batches: readonly PartOfBatch[];
  /** Whether nothing else of the kind was due. */
  readonly isWhole: boolean;
}

/** The next pins of a due batch, whose contexts are examined in this step. */
interface PartOfBatch extends DueBatch {
  readonly contexts: readonly string[];
  /** Index of the first pin that was not read; undefined if there is none. */
  readonly next: number | undefined;
}

/**
 * Returns due contexts and messages, oldest first, at most `limit`, without the remainders of large batches; undefined
 * if there are none.
 */
export function readDue(unit: Unit, limit: number): Promise<Due | undefined> {
  return read(unit, { keys: usualKeys, limit, newestFirst: false, isPartly: true });
}

/**
 * Returns the next contexts of the remainder that has been due longest, at most `limit`; undefined if there is none.
 */
export function readRemainder(unit: Unit, limit: number): Promise<Due | undefined> {
  return read(unit, { keys: remainderKeys, limit, newestFirst: false, isPartly: true });
}

/** Whether a remainder of a large batch is due. */
export function hasRemainders(reader: Reader): Promise<boolean> {
  return reader.has('due', { context: remainderKeys });
}

/**
 * Returns the contexts and messages that became due last, at most `limit`, without batches that have more: what this
 * unit has just marked as due must not wait behind a full batch of another member.
 */
export function readNewestDue(unit: Unit, limit: number): Promise<Due | undefined> {
  return read(unit, { keys: usualKeys, limit, newestFirst: true, isPartly: false });
}

interface ReadOptions {
  readonly keys: Test<string>;
  readonly limit: number;
  readonly newestFirst: boolean;
  /** Whether a batch with more contexts is examined in parts. */
  readonly isPartly: boolean;
}

async function read(unit: Unit, { keys, limit, newestFirst, isPartly }: ReadOptions): Promise<Due | undefined> {
  const rows = await unit.rows('due', { context: keys }, { limit, newestFirst });
  const [contexts, unpinned, batches] = [new Set<string>(), new Array<string>(), new Array<PartOfBatch>()];
  let isWhole = rows.length < limit;
  for (const { context: key } of rows) {
    const room = limit - contexts.size - unpinned.length;
    if (room <= 0) isWhole = false;
    else if (isUnpinnedKey(key)) unpinned.push(key);
    else if (isDueBatchKey(key)) {
      const part = await readPart(unit, readDueBatchKey(key), room);
      if (part.next !== undefined) isWhole = false;
      if (part.next !== undefined && !isPartly) continue;
      batches.push(part);
      for (const context of part.contexts) contexts.add(context);
    } else contexts.add(key);
  }
  return rows.length === 0 ? undefined : { contexts: [...contexts], unpinned, batches, isWhole };
}

/** Pins in one read: one more than the number of contexts in a step. */
const maxPins = 65;

async function readPart(unit: Unit, batch: DueBatch, room: number): Promise<PartOfBatch> {
  const pins = await readPins(unit, batch, maxPins);
  const contexts = new Set<string>();
  for (const { context, index } of pins) {
    if (contexts.size === room && !contexts.has(context)) return { ...batch, contexts: [...contexts], next: index };
    contexts.add(context);
  }
  const next = pins.length < maxPins ? undefined : (pins.at(-1)?.index ?? 0) + 1;
  return { ...batch, contexts: [...contexts], next };
}

/** Returns the unspent pins of a batch, in order. */
async function readPins(unit: Unit, { name, from }: DueBatch, limit: number): Promise<readonly PinRow[]> {
  const { id: batch, hash: batchHash, signer } = name;
  const ofBatch = { batch, batchHash, signer, spent: false } as const;
  const options = { limit, by: 'index' } as const;
  // Mostly the next pins are unspent, except those of a message that began before them. Finding them by their indexes
  // avoids a scan of all others.
  const index = Array.from({ length: limit + networkLimits.maxTopics }, (_, i) => from + i);
  const next = await unit.rows('pins', { ...ofBatch, index }, options);
  return next.length === limit ? next : unit.rows('pins', { ...ofBatch, index: atLeast(from) }, options);
}

/**
 * Records that contexts and batches were examined. Contexts that were not read to their end stay due. Returns whether a
 * remainder of a large batch has become due.
 */
export async function endDue(
  unit: Unit,
  {
    looked,
    unread,
    batches,
  }: {
    readonly looked: readonly string[];
    readonly unread: ReadonlySet<string>;
    readonly batches: readonly PartOfBatch[];
  },
): Promise<boolean> {
  const namespace = systemNamespace;
  const settled = [...looked.filter((key) => !unread.has(key)), ...batches.map(dueBatchKey)];
  await unit.remove('due', { context: settled });
  if (unread.size > 0)
    await unit.put(
      'due',
      [...unread].map((context) => ({ namespace, context })),
    );
  const left: DueBatch[] = [];
  for (const { name, next } of batches) {
    if (next === undefined) continue;
    const rest = { name, from: next };
    if ((await readPins(unit, rest, 1)).length > 0) left.push(rest);
  }
  await markBatchesDue(unit, left);
  return left.some(({ from }) => isRemainder(from));
}
