import type { Unit } from '../../../ports/database.js';
import { below, startingWith } from '../../../ports/tables/where.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { maxUsualContexts } from '../../throttle.js';
import { batchNameKey, type BatchName } from './exact.js';

const prefix = 'batch:';
/** Sorts after the keys of contexts, of messages and of batches that have just begun. */
const remainderPrefix = 'remainder:';

/** Selects all keys except those of the remainders of large batches. */
export const usualKeys = below(remainderPrefix);
/** Selects the keys of the remainders of large batches. */
export const remainderKeys = startingWith(remainderPrefix);

/** The contexts of a batch's pins, from one of them on. A full batch has thousands; in this form they are one row. */
export interface DueBatch {
  readonly name: BatchName;
  /** Index of the first pin among the contexts of the batch. */
  readonly from: number;
}

/** The key of a batch among the contexts that are due. */
export function dueBatchKey({ name, from }: DueBatch): string {
  return `${isRemainder(from) ? remainderPrefix : prefix}${from}/${batchNameKey(name)}`;
}

/** Whether only contexts beyond those of a usual batch are left, which are examined more slowly. */
export function isRemainder(from: number): boolean {
  return from >= maxUsualContexts;
}

export function isDueBatchKey(key: string): boolean {
  return key.startsWith(prefix) || key.startsWith(remainderPrefix);
}

export function readDueBatchKey(key: string): DueBatch {
  const [from = '', id = '', hash = '', signer = ''] = key.slice(key.indexOf(':') + 1).split('/');
  return { name: { id, hash, signer }, from: Number(from) };
}

/** Marks the contexts of broadcast batches as due, from a pin on. */
export async function markBatchesDue(unit: Unit, batches: readonly DueBatch[]): Promise<void> {
  if (batches.length === 0) return;
  await unit.put(
    'due',
    batches.map((each) => ({ namespace: systemNamespace, context: dueBatchKey(each) })),
  );
}
