import { everyNamespace, type Reader, type Scope } from '../../../ports/database.js';
import type { BatchRow, PinRow, Tables } from '../../../ports/tables/tables.js';

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
 * Returns the referenced messages or data items by `referenceKey`. Ids are public and may be reused by anybody, so rows
 * are found by their whole reference.
 */
export async function findExact<T extends 'messages' | 'data'>(
  database: Reader,
  table: T,
  { namespace }: Scope,
  references: readonly Reference[],
): Promise<ReadonlyMap<string, Tables[T]>> {
  if (references.length === 0) return new Map();
  const values = references.map(({ id, hash, seal = '' }) => (table === 'data' ? [id, hash, seal] : [id, hash]));
  const rows = byAge(await database.exact(table, { columns: keys[table], values }));
  const own = namespace === everyNamespace ? rows : rows.filter((row) => row.namespace === namespace);
  return new Map(own.map((row) => [referenceKey(row), row]));
}

const keys: { readonly [T in 'messages' | 'data']: readonly (keyof Tables[T] & string)[] } = {
  messages: ['id', 'hash'],
  data: ['id', 'hash', 'seal'],
};

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
  const values = names.map(({ id, hash, signer }) => [id, hash, signer]);
  return byAge(await database.exact('batches', { columns: ['id', 'hash', 'signer'], values }));
}

type PinOfBatch = Pick<PinRow, 'batch' | 'batchHash' | 'signer'>;

/** The batch of a pin. */
export function batchNameOf({ batch: id, batchHash: hash, signer }: PinOfBatch): BatchName {
  return { id, hash, signer };
}

export function batchNameKey({ id, hash, signer }: BatchName): string {
  return `${id}/${hash}/${signer}`;
}

/** Returns the batches of these pins, oldest first; a full batch has thousands of them, and is looked up once. */
export async function findBatchesOfPins(database: Reader, pins: readonly PinOfBatch[]): Promise<readonly BatchRow[]> {
  const names = new Map(pins.map(batchNameOf).map((name) => [batchNameKey(name), name]));
  return findBatches(database, [...names.values()]);
}
