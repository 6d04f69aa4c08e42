import { everyNamespace, type Reader, type Scope } from '../ports/database.js';
import type { BatchRow, Tables } from '../ports/tables.js';
import { among, oldestFirst } from '../wire/query.js';

/** What a message or data item is known by. */
export interface Reference {
  readonly id: string;
  readonly hash: string;
  /** Of an item. */
  readonly seal?: string;
}

/** All that a message or item is known by, as a key of maps. */
export function referenceKey({ id, hash, seal = '' }: Reference): string {
  return seal === '' ? `${id}/${hash}` : `${id}/${hash}/${seal}`;
}

/**
 * The messages or data items that the references name, by `referenceKey`. Ids are public and anybody may use one again,
 * so a row is found by all that it is known by, however many others claim the id.
 */
export async function findExact<T extends 'messages' | 'data'>(
  database: Reader,
  table: T,
  { namespace }: Scope,
  references: readonly Reference[],
): Promise<ReadonlyMap<string, Tables[T]>> {
  if (references.length === 0) return new Map();
  const ids = [...new Set(references.map(({ id }) => id))];
  const hashes = [...new Set(references.map(({ hash }) => hash))];
  const seals = [...new Set(references.map(({ seal = '' }) => seal))];
  const where = [among('id', ids), among('hash', hashes), ...(table === 'data' ? [among('seal', seals)] : [])];
  // Every such combination can exist once.
  const limit = ids.length * hashes.length * seals.length;
  const rows = await database.find(table, { namespace, where, sort: oldestFirst, limit });
  return new Map(rows.map((row) => [referenceKey(row), row]));
}

/** What a batch is known by (S §8.3). */
export interface BatchName extends Reference {
  readonly signer: string;
}

/** The batches of these names, and perhaps others that share parts of their names. */
export function findBatches(database: Reader, names: readonly BatchName[]): Promise<readonly BatchRow[]> {
  const ids = [...new Set(names.map(({ id }) => id))];
  const hashes = [...new Set(names.map(({ hash }) => hash))];
  const signers = [...new Set(names.map(({ signer }) => signer))];
  const limit = ids.length * hashes.length * signers.length;
  if (limit === 0) return Promise.resolve([]);
  const where = [among('id', ids), among('hash', hashes), among('signer', signers)];
  return database.find('batches', { namespace: everyNamespace, where, sort: oldestFirst, limit });
}
