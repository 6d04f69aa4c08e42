import type { Reader, Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { NewRow } from '../../ports/tables.js';
import { ServiceError } from '../../wire/error.js';
import { equal, oldestFirst } from '../../wire/query.js';
import { newSubmittedEvent } from '../rows.js';

/**
 * Inserts a transaction that this node begins, with its event. Units run one after the other, so of requests with one
 * idempotency key that come at once all but the first are refused here (S §1.6).
 *
 * @throws ServiceError transaction_key_used
 */
export async function beginTransaction(unit: Unit, transaction: NewRow<'transactions'>, random: Random): Promise<void> {
  const { namespace, idempotencyKey: key } = transaction;
  await refuseUsedKey(unit, namespace, key ?? undefined);
  await unit.insert('transactions', [transaction]);
  await unit.insert('events', [newSubmittedEvent(transaction, random.uuid())]);
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
