import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { AttemptResult, RunOperation, Settlement } from '../../../../src/pipeline/operations/attempt.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import { createOperator } from '../../../../src/pipeline/operations/operate.js';
import { fetchLane, newOperation, storeLane } from '../../../../src/pipeline/operations/operation.js';
import type { Database } from '../../../../src/ports/database.js';
import type { OperationRow } from '../../../../src/ports/tables/tables.js';
import { uuid } from '../../../support/fixtures.js';
import { rowsOf } from '../../../support/pipelines-check.js';

export const done: AttemptResult<Settlement> = {
  status: 'done',
  output: { output: { name: 'x' }, write: async () => [] },
};
export const later: AttemptResult<Settlement> = { status: 'later', error: 'not yet' };
export const unreachable: AttemptResult<Settlement> = { status: 'unreachable', error: 'no answer' };
export const failed: AttemptResult<Settlement> = { status: 'failed', error: 'refused forever' };

export type Run = (id: number, attempt: number, signal: AbortSignal) => Promise<AttemptResult<Settlement>>;

interface Options {
  readonly database?: Database;
  readonly maxInFlight?: number;
  /** Lanes in addition to those of the store; a test may add some while the operator runs. */
  readonly moreLanes?: Readonly<Record<string, number>>;
}

/** Creates an operator whose operations call `run`; each start is recorded in `begun` as `id@ms`. */
export function anOperator(
  run: Run,
  { database = createMemoryDatabase(), maxInFlight = 2, moreLanes = {} }: Options = {},
) {
  const bus = createBus();
  const clock = createManualClock();
  const begun: string[] = [];
  const defects: Error[] = [];
  const attempts = new Map<number, number>();
  const runOperation: RunOperation = (operation, signal) => {
    const id = Number.parseInt(operation.id.slice(-12), 16);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    begun.push(`${id}@${clock.monotonicMs()}`);
    return run(id, attempt, signal);
  };
  const types = {
    sharedstorage_upload_batch: runOperation,
    sharedstorage_upload_blob: runOperation,
    sharedstorage_upload_value: runOperation,
    sharedstorage_download_batch: runOperation,
    sharedstorage_download_blob: runOperation,
    blockchain_pin_batch: runOperation,
    blockchain_register_identity: runOperation,
    dataexchange_send_batch: runOperation,
    dataexchange_send_blob: runOperation,
    dataexchange_request_batch: runOperation,
    blockchain_deploy: runOperation,
    blockchain_invoke: runOperation,
    token_create_pool: runOperation,
    token_activate_pool: runOperation,
    token_transfer: runOperation,
    token_approval: runOperation,
  };
  const lanes = async () => ({ [storeLane]: maxInFlight, [fetchLane]: maxInFlight, ...moreLanes });
  const onDefect = (error: Error) => defects.push(error);
  const operator = createOperator({ database, types, lanes, bus, clock, log: createSilentLog(), onDefect });
  return { operator, database, bus, clock, begun, defects };
}

export async function insert(
  database: Database,
  ids: readonly number[],
  changes: Partial<OperationRow> = {},
): Promise<void> {
  const subject = { namespace: 'default', tx: uuid(1), batch: uuid(2), batchHash: 'a'.repeat(64), signer: '0x1' };
  const rows = ids.map((id) => {
    const row = newOperation({
      id: uuid(id),
      type: 'sharedstorage_upload_batch',
      lane: storeLane,
      created: '2026-01-15T10:00:00.000Z',
      subject,
    });
    return { ...row, ...changes };
  });
  await database.transaction((unit) => unit.insert('operations', rows));
}

export async function statuses(database: Database): Promise<string[]> {
  return (await rowsOf(database, 'operations')).map(({ status }) => status);
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
