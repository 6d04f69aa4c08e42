import type { Reader } from '../../../ports/database.js';
import type { BatchRow, DataRow, MessageRow, PinRow } from '../../../ports/tables/tables.js';

export interface Reference {
  readonly id: string;
  readonly hash: string;
  /** Set for data items. */
  readonly seal?: string;
}

export function referenceKey({ id, hash, seal = '' }: Reference): string {
  return seal === '' ? `${id}/${hash}` : `${id}/${hash}/${seal}`;
}

/**
 * Returns the referenced messages by `referenceKey`. Ids are public and anyone may reuse them, so rows are found by
 * their whole reference.
 */
export async function exactMessages(
  database: Reader,
  references: readonly Reference[],
  scope?: Scope,
): Promise<ReadonlyMap<string, MessageRow>> {
  if (references.length === 0) return new Map();
  return byReference(await database.exact('messages', ['id', 'hash'], references), scope);
}

/** Returns the referenced data items by `referenceKey`. */
export async function exactItems(
  database: Reader,
  references: readonly Reference[],
  scope?: Scope,
): Promise<ReadonlyMap<string, DataRow>> {
  if (references.length === 0) return new Map();
  const sealed = references.map(({ id, hash, seal = '' }) => ({ id, hash, seal }));
  return byReference(await database.exact('data', ['id', 'hash', 'seal'], sealed), scope);
}

/** The namespace of the rows to find, if it matters. */
interface Scope {
  readonly namespace: string;
}

function byReference<Row extends MessageRow | DataRow>(rows: readonly Row[], scope: Scope | undefined) {
  const own = byAge(rows).filter(({ namespace }) => scope === undefined || namespace === scope.namespace);
  return new Map(own.map((row) => [referenceKey(row), row]));
}

function byAge<Row extends { readonly sequence: number }>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => a.sequence - b.sequence);
}

/** Identifies a batch (docs/protocol.md §8.1). */
export interface BatchName extends Reference {
  readonly signer: string;
}

/** Returns the batches with these names, oldest first. */
export async function findBatches(database: Reader, names: readonly BatchName[]): Promise<readonly BatchRow[]> {
  if (names.length === 0) return [];
  return byAge(await database.exact('batches', ['id', 'hash', 'signer'], names));
}

type PinOfBatch = Pick<PinRow, 'batch' | 'batchHash' | 'signer'>;

/** The batch of a pin. */
export function batchNameOf({ batch: id, batchHash: hash, signer }: PinOfBatch): BatchName {
  return { id, hash, signer };
}

export function batchNameKey({ id, hash, signer }: BatchName): string {
  return `${id}/${hash}/${signer}`;
}

/** Returns the batches of these pins, oldest first; a full batch has thousands of pins and is looked up once. */
export async function findBatchesOfPins(database: Reader, pins: readonly PinOfBatch[]): Promise<readonly BatchRow[]> {
  const names = new Map(pins.map(batchNameOf).map((name) => [batchNameKey(name), name]));
  return findBatches(database, [...names.values()]);
}
