import { ConflictError, type Reader, type Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { NewRow } from '../../ports/tables.js';
import { ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { createLookup } from './lookup.js';
import { newSubmittedEvent } from '../rows.js';

/**
 * Inserts a transaction that this node begins, with its event. Units run one after the other, so of requests with one
 * idempotency key that come at once all but the first are refused here (docs/api.md §5).
 *
 * @throws ServiceError transaction_key_used
 */
export async function beginTransaction(unit: Unit, transaction: NewRow<'transactions'>, random: Random): Promise<void> {
  const { namespace, idempotencyKey: key } = transaction;
  await refuseUsedKey(unit, namespace, key ?? undefined);
  await insertTransaction(unit, transaction, random);
}

/** The same for a request that `Once` has let through: its unit reads nothing. */
export async function insertTransaction(
  unit: Unit,
  transaction: NewRow<'transactions'>,
  random: Random,
): Promise<void> {
  await unit.insert('transactions', [transaction]);
  await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
}

/**
 * Runs what a request wants if it is the first of its idempotency key; those with one key run one after the other, and
 * a repeat hears of the first one, whatever that has changed (docs/api.md §5).
 *
 * It throws ServiceError transaction_key_used, and what `begin` throws.
 */
export type Once = <R>(namespace: string, key: string | undefined, begin: () => Promise<R>) => Promise<R>;

/** The turns of the requests of a node. The keys of requests that come at the same time are looked up together. */
export function createOnce(database: Reader): Once {
  const lookup = createLookup(database, 'transactions', 'idempotencyKey');
  const turns = new Map<string, Promise<unknown>>();

  async function run<R>(namespace: string, key: string, begin: () => Promise<R>): Promise<R> {
    const first = await lookup(namespace, key);
    if (first !== undefined) throw new ServiceError('transaction_key_used', { key, id: first.id });
    try {
      return await begin();
    } catch (error) {
      // A request of another kind, which does not wait in this queue, was first.
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
 * Whether a request is the first of its idempotency key. Asked before anything else is looked up, so that a repeat
 * hears of the first one, whatever that has changed.
 *
 * @throws ServiceError transaction_key_used
 */
export async function refuseUsedKey(reader: Reader, namespace: string, key: string | undefined): Promise<void> {
  if (key === undefined) return;
  const where = [equal('idempotencyKey', key)];
  const [first] = await reader.find('transactions', { namespace, where, sort: oldestFirst, limit: 1 });
  if (first !== undefined) throw new ServiceError('transaction_key_used', { key, id: first.id });
}
