import { every } from '../../src/ports/tables/where.js';
import type { Party } from './party.js';
import { InvariantViolation } from './shadow.js';

const everything = 100_000;

/** I2: in a namespace, an idempotency key makes one message and one transaction, which has one call at most. */
export async function checkUsedOnce({ name, disk }: Party): Promise<void> {
  for (const table of ['messages', 'transactions'] as const) {
    const rows = await disk.rows(table, { namespace: every }, { limit: everything });
    const keys = rows.flatMap(({ namespace, idempotencyKey: key }) => (key === null ? [] : [`${namespace}/${key}`]));
    refuseTwice(keys, (key) => `the idempotency key ${key} has made two ${table} at ${name}`);
  }
  const type = ['token_transfer', 'token_approval', 'token_create_pool'] as const;
  const calls = await disk.rows('operations', { namespace: every, type }, { limit: everything });
  const retries = new Set(calls.map(({ retry }) => retry));
  const first = calls.filter(({ id }) => !retries.has(id)).map(({ tx }) => tx);
  refuseTwice(first, (tx) => `the transaction ${tx} has two calls at ${name}`);
}

function refuseTwice(names: readonly string[], sentence: (name: string) => string): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new InvariantViolation('I2', sentence(twice));
}
