import { ConflictError, type Reader, type Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { createLookup } from '../lookup.js';
import { newSubmittedEvent } from '../../state/events/event-row.js';

/**
 * Inserts a transaction of this node with its event. Units run one at a time, so later requests with the same
 * idempotency key are refused here (docs/api.md §5).
 *
 * @throws ServiceError transaction_key_used
 */
export async function beginTransaction(unit: Unit, transaction: NewRow<'transactions'>, random: Random): Promise<void> {
  const { namespace, idempotencyKey: key } = transaction;
  await refuseUsedKey(unit, namespace, key ?? undefined);
  await insertTransaction(unit, transaction, random);
}

/** Inserts a transaction whose idempotency key `Once` has checked. */
export async function insertTransaction(
  unit: Unit,
  transaction: NewRow<'transactions'>,
  random: Random,
): Promise<void> {
  await unit.insert('transactions', [transaction]);
  await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
}

/**
 * Runs the first request with an idempotency key. Requests with the same key run one at a time; a repeat gets the
 * answer of the first, whatever has changed since (docs/api.md §5).
 *
 * Throws ServiceError transaction_key_used, and the errors of `begin`.
 */
export type Once = <R>(namespace: string, key: string | undefined, begin: () => Promise<R>) => Promise<R>;

/** Creates the check of idempotency keys for a node; concurrent lookups share reads. */
export function createOnce(database: Reader): Once {
  const lookup = createLookup({
    read: (namespace, keys) =>
      database.rows('transactions', { namespace, idempotencyKey: keys }, { limit: keys.length }),
    valueOf: ({ idempotencyKey }) => idempotencyKey,
  });
  const turns = new Map<string, Promise<unknown>>();

  async function run<R>(namespace: string, key: string, begin: () => Promise<R>): Promise<R> {
    const first = await lookup(namespace, key);
    if (first !== undefined) throw new ServiceError('transaction_key_used', { key, id: first.id });
    try {
      return await begin();
    } catch (error) {
      // A request of another kind, which is not in this queue, came first.
      if (isOfKey(error)) await refuseUsedKey(database, namespace, key);
      throw error;
    }
  }

  return async (namespace, key, begin) => {
    if (key === undefined) return begin();
    const name = `${namespace} ${key}`;
    const next = (): ReturnType<typeof begin> => run(namespace, key, begin);
    const turn = turns.get(name)?.then(next, next) ?? next();
    turns.set(name, turn);
    try {
      return await turn;
    } finally {
      if (turns.get(name) === turn) turns.delete(name);
    }
  };
}

function isOfKey(error: unknown): boolean {
  return error instanceof ConflictError && error.table === 'transactions' && error.columns.includes('idempotencyKey');
}

/**
 * Refuses an idempotency key that was used. Must be called before any other check, so that a repeat gets the answer of
 * the first request, whatever has changed since.
 *
 * @throws ServiceError transaction_key_used
 */
export async function refuseUsedKey(reader: Reader, namespace: string, key: string | undefined): Promise<void> {
  if (key === undefined) return;
  const first = await reader.first('transactions', { namespace, idempotencyKey: key });
  if (first !== undefined) throw new ServiceError('transaction_key_used', { key, id: first.id });
}
