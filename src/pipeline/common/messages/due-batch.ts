import type { Unit } from '../../../ports/database.js';
import { systemNamespace } from '../../../domain/network/identity.js';
import { batchNameKey, type BatchName } from './exact.js';

const prefix = 'batch:';

/** The contexts of a batch's pins, from one of them on. A full batch has thousands, which take one row in this form. */
export interface DueBatch {
  readonly name: BatchName;
  /** Index of the first pin among the contexts of the batch. */
  readonly from: number;
}

/** The key of a batch among the contexts that are due. */
export function dueBatchKey({ name, from }: DueBatch): string {
  return `${prefix}${from}/${batchNameKey(name)}`;
}

export function isDueBatchKey(key: string): boolean {
  return key.startsWith(prefix);
}

export function readDueBatchKey(key: string): DueBatch {
  const [from = '', id = '', hash = '', signer = ''] = key.slice(prefix.length).split('/');
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
