import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type PostgresAddress, serverOf } from './address.js';
import { PostgresProblem } from './problem.js';

/** The time that the previous process may take to end when this one replaces it. */
const lockTimeoutMs = 2_000;
const lockPollMs = 50;

/** Takes the lock of a schema, which the connection holds until it ends. @throws PostgresProblem if another has it */
export async function takeLock(client: pg.Client, address: PostgresAddress, schema: string): Promise<void> {
  const untilMs = performance.now() + lockTimeoutMs;
  const sql = `select pg_try_advisory_lock(hashtextextended('parley ' || $1, 0)) as "isMine"`;
  for (;;) {
    const { rows } = await client.query<{ isMine: boolean }>(sql, [schema]);
    if (rows[0]?.isMine === true) return;
    if (performance.now() >= untilMs) break;
    await sleep(lockPollMs);
  }
  throw new PostgresProblem(
    'in_use',
    `the schema ${schema} of ${address.database} at ${serverOf(address)} is in use by another process`,
    'Stop that process first, or name another schema with database.schema.',
  );
}
