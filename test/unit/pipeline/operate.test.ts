import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../src/adapters/database/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { InvariantError } from '../../../src/domain/invariant.js';
import { createBus } from '../../../src/pipeline/bus.js';
import { createOperator, type Outcome, type RunOperation, type Settlement } from '../../../src/pipeline/operate.js';
import { fetchLane, newOperation, storeLane } from '../../../src/pipeline/operation.js';
import type { Database } from '../../../src/ports/database.js';
import type { OperationRow } from '../../../src/ports/tables.js';
import { equal } from '../../../src/wire/query.js';
import { uuid } from '../../support/fixtures.js';
import { rowsOf } from '../../support/pipelines-check.js';
import { createGate, flush } from './turns.js';

const done: Outcome<Settlement> = { status: 'done', output: { output: { name: 'x' }, write: async () => [] } };
const later: Outcome<Settlement> = { status: 'later', error: 'not yet' };
const unreachable: Outcome<Settlement> = { status: 'unreachable', error: 'nobody answers' };
const failed: Outcome<Settlement> = { status: 'failed', error: 'it can never be' };

type Run = (id: number, attempt: number, signal: AbortSignal) => Promise<Outcome<Settlement>>;

interface Options {
  readonly database?: Database;
  readonly maxInFlight?: number;
}

/** An operator whose uploads and downloads do as they are told; each begin is noted as `id@ms`. */
function anOperator(run: Run, { database = createMemoryDatabase(), maxInFlight = 2 }: Options = {}) {
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
    sharedstorage_download_batch: runOperation,
    blockchain_pin_batch: runOperation,
  };
  const lanes = { [storeLane]: maxInFlight, [fetchLane]: maxInFlight };
  const onDefect = (error: Error) => defects.push(error);
  const operator = createOperator({ database, types, lanes, bus, clock, log: createSilentLog(), onDefect });
  return { operator, database, bus, clock, begun, defects };
}

async function insert(database: Database, ids: readonly number[], changes: Partial<OperationRow> = {}): Promise<void> {
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

async function statuses(database: Database): Promise<string[]> {
  return (await rowsOf(database, 'operations')).map(({ status }) => status);
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe('the runner of operations', () => {
  it('runs what is there at its start and what comes later, each once', async () => {
    const { operator, database, bus, begun } = anOperator(async () => done);
    await insert(database, [1]);
    operator.start();
    await flush();
    await insert(database, [2, 3]);
    bus.ring('operations');
    await flush();
    expect(begun).toEqual(['1@0', '2@0', '3@0']);
    expect(await statuses(database)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
    expect((await rowsOf(database, 'operations'))[0]?.output).toEqual({ name: 'x' });
    expect(operator.isIdle()).toBe(true);
    await operator.stop();
  });

  it('keeps to the number that may be under way in each lane', async () => {
    const gate = createGate<Outcome<Settlement>>();
    const { operator, database, begun } = anOperator(() => gate.passed);
    await insert(database, [1, 2, 3]);
    await insert(database, [11, 12, 13], { type: 'sharedstorage_download_batch', lane: fetchLane });
    operator.start();
    await flush();
    expect(begun).toEqual(['1@0', '2@0', '11@0', '12@0']);
    expect(operator.isIdle()).toBe(false);
    gate.open(done);
    await flush();
    expect(begun.slice(4).sort()).toEqual(['13@0', '3@0']);
    await operator.stop();
  });

  it('takes first attempts before repeats', async () => {
    const { operator, database, begun } = anOperator(async () => done, { maxInFlight: 1 });
    await insert(database, [1, 2], { status: 'Pending' });
    await insert(database, [3, 4]);
    operator.start();
    await flush();
    expect(begun).toEqual(['3@0', '4@0', '1@0', '2@0']);
    await operator.stop();
  });

  it('takes up all that an earlier life has tried, however many', async () => {
    const { operator, database, begun } = anOperator(async () => done, { maxInFlight: 50 });
    await insert(database, numbers(1_200), { status: 'Pending' });
    operator.start();
    await expect.poll(() => begun.length).toBe(1_200);
    await operator.stop();
  });

  it('delays what must come later alone, and repeats it longer and longer', async () => {
    const run: Run = async (id, attempt) => (id === 1 && attempt <= 3 ? later : done);
    const { operator, database, clock, begun } = anOperator(run);
    await insert(database, [1, 2, 3]);
    operator.start();
    for (let turn = 0; turn < 10; turn++) {
      await flush();
      await clock.advance(100);
    }
    expect(begun).toEqual(['1@0', '2@0', '3@0', '1@100', '1@300', '1@700']);
    expect(await statuses(database)).toEqual(['Succeeded', 'Succeeded', 'Succeeded']);
    await operator.stop();
  });

  it('writes why an operation waits, and clears it when it is done', async () => {
    const { operator, database, clock } = anOperator(async (_, attempt) => (attempt === 1 ? later : done));
    await insert(database, [1]);
    operator.start();
    await flush();
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Pending', error: 'not yet' }]);
    await clock.advance(100);
    await flush();
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Succeeded', error: null }]);
    await operator.stop();
  });

  it('backs a lane off as a whole while its other end is away, and no other lane', async () => {
    let isAway = true;
    const run: Run = async (id) => (isAway && id < 10 ? unreachable : done);
    const { operator, database, bus, clock, begun } = anOperator(run, { maxInFlight: 1 });
    await insert(database, [1, 2]);
    await insert(database, [11, 12], { type: 'sharedstorage_download_batch', lane: fetchLane });
    operator.start();
    await flush();
    expect([...begun].sort()).toEqual(['11@0', '12@0', '1@0']);
    bus.ring('operations');
    await flush();
    expect(begun).toHaveLength(3);
    const since = '2026-01-15T10:00:00.000Z';
    expect(operator.away()).toEqual([{ lane: storeLane, since, error: 'nobody answers' }]);
    expect(operator.isIdle()).toBe(true);
    await clock.advance(100);
    await flush();
    expect(begun.slice(3)).toEqual(['2@100']);
    isAway = false;
    await clock.advance(200);
    await flush();
    expect(begun.slice(4).sort()).toEqual(['1@300', '2@300']);
    expect(operator.away()).toEqual([]);
    expect(await statuses(database)).toEqual(['Succeeded', 'Succeeded', 'Succeeded', 'Succeeded']);
    await operator.stop();
  });

  it('tries one again however many others wait in vain', async () => {
    const run: Run = async (id, attempt) => (id === 999 && attempt > 1 ? done : later);
    const { operator, database, bus, clock } = anOperator(run, { maxInFlight: 10 });
    await insert(database, numbers(300));
    operator.start();
    await flush();
    await insert(database, [999]);
    bus.ring('operations');
    for (let second = 0; second < 12; second++) {
      await clock.advance(1_000);
      await flush();
    }
    expect((await statuses(database)).at(-1)).toBe('Succeeded');
    await operator.stop();
  });

  it('never repeats what has failed', async () => {
    const { operator, database, bus, clock, begun } = anOperator(async () => failed);
    await insert(database, [1]);
    operator.start();
    await flush();
    bus.ring('operations');
    await clock.advance(60_000);
    await flush();
    expect(begun).toEqual(['1@0']);
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Failed', error: 'it can never be' }]);
    await operator.stop();
  });

  it('settles an operation and what it brings in one unit, and rings after the commit', async () => {
    const heard: string[] = [];
    const { operator, database, bus } = anOperator(async () => ({
      status: 'done',
      output: {
        output: {},
        async write(unit) {
          await unit.insert('due', [{ namespace: 'svc_system', context: 'c' }]);
          return ['due'];
        },
      },
    }));
    const listening = bus.listen('due').wait(new AbortController().signal);
    const seen = listening.then(async () => {
      heard.push(...(await rowsOf(database, 'due')).map(({ context }) => context), ...(await statuses(database)));
    });
    await insert(database, [1]);
    operator.start();
    await seen;
    expect(heard).toEqual(['c', 'Succeeded']);
    await operator.stop();
  });

  it('leaves an operation undone when what it brings cannot be written, and repeats it', async () => {
    const { operator, database, clock } = anOperator(async (_, attempt) => ({
      status: 'done',
      output: {
        output: {},
        async write(unit) {
          await unit.insert('due', [{ namespace: 'svc_system', context: 'c' }]);
          if (attempt === 1) throw new Error('the disk is full');
          return [];
        },
      },
    }));
    await insert(database, [1]);
    operator.start();
    await flush();
    expect(await rowsOf(database, 'due')).toEqual([]);
    expect(await statuses(database)).toEqual(['Initialized']);
    await clock.advance(100);
    await flush();
    expect(await rowsOf(database, 'due')).toHaveLength(1);
    expect(await statuses(database)).toEqual(['Succeeded']);
    await operator.stop();
  });

  it('counts an attempt that throws as one, and repeats it without reporting it', async () => {
    const { operator, database, clock, begun, defects } = anOperator(async (_, attempt) => {
      if (attempt === 1) throw new Error('surprise');
      return done;
    });
    await insert(database, [1]);
    operator.start();
    await flush();
    expect(await statuses(database)).toEqual(['Pending']);
    await clock.advance(100);
    await flush();
    expect(begun).toEqual(['1@0', '1@100']);
    expect(await statuses(database)).toEqual(['Succeeded']);
    expect(defects).toEqual([]);
    await operator.stop();
  });

  it('reports a broken invariant and leaves the row as it is', async () => {
    const { operator, database, defects } = anOperator(async () => {
      throw new InvariantError('a batch has its payload');
    });
    await insert(database, [1]);
    operator.start();
    await flush();
    expect(defects).toEqual([expect.any(InvariantError)]);
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Initialized', error: null }]);
    await operator.stop();
  });
});

describe('the runner of operations, stopped', () => {
  it('ends without the answers that it waits for, and settles none that comes after', async () => {
    const gate = createGate<Outcome<Settlement>>();
    const signals: AbortSignal[] = [];
    const { operator, database } = anOperator((_, __, signal) => {
      signals.push(signal);
      return gate.passed;
    });
    await insert(database, [1, 2]);
    operator.start();
    await flush();
    await operator.stop();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    gate.open(done);
    await flush();
    expect(await statuses(database)).toEqual(['Initialized', 'Initialized']);
  });

  it('waits for a unit that has begun', async () => {
    const gate = createGate<void>();
    const { operator, database } = anOperator(async () => ({
      status: 'done',
      output: { output: {}, write: () => gate.passed.then(() => []) },
    }));
    await insert(database, [1]);
    operator.start();
    await flush();
    let hasStopped = false;
    const stopped = operator.stop().then(() => (hasStopped = true));
    await flush();
    expect(hasStopped).toBe(false);
    gate.open();
    await stopped;
    expect(await statuses(database)).toEqual(['Succeeded']);
  });

  it('begins nothing that it was about to begin', async () => {
    const gate = createGate<void>();
    const rows = createMemoryDatabase();
    const database: Database = {
      ...rows,
      find: async (table, query) => {
        const found = await rows.find(table, query);
        await gate.passed;
        return found;
      },
    };
    const { operator, begun } = anOperator(() => new Promise(() => undefined), { database });
    await insert(rows, [1]);
    operator.start();
    await flush();
    const stopped = operator.stop();
    gate.open();
    await stopped;
    expect(begun).toEqual([]);
  });

  it('repeats nothing when a delay is over', async () => {
    const { operator, database, clock, begun } = anOperator(async () => later);
    await insert(database, [1]);
    operator.start();
    await flush();
    await operator.stop();
    await clock.advance(60_000);
    await flush();
    expect(begun).toEqual(['1@0']);
    expect(await database.count('operations', { namespace: 'default', where: [equal('status', 'Pending')] })).toBe(1);
  });

  it('does not begin again what ended while its row was being read', async () => {
    const database = createMemoryDatabase();
    const lookup = createGate<void>();
    let isSlow = false;
    const slow: Database = {
      ...database,
      async find(table, query) {
        const rows = await database.find(table, query);
        if (table === 'operations' && isSlow) await lookup.passed;
        return rows;
      },
    };
    const work = createGate<Outcome<Settlement>>();
    const { operator, bus, begun } = anOperator(() => work.passed, { database: slow });
    await insert(database, [1]);
    operator.start();
    await flush();
    isSlow = true;
    bus.ring('operations');
    await flush();
    work.open(done);
    await flush();
    expect(await statuses(database)).toEqual(['Succeeded']);
    lookup.open();
    await flush();
    expect(begun).toEqual(['1@0']);
    await operator.stop();
  });

  it('writes nothing that follows from an operation which has ended already', async () => {
    const work = createGate<Outcome<Settlement>>();
    const { operator, database } = anOperator(() => work.passed);
    await insert(database, [1]);
    operator.start();
    await flush();
    await database.transaction((unit) =>
      unit.update('operations', { namespace: 'default', where: [equal('id', uuid(1))] }, { status: 'Failed' }),
    );
    const written: string[] = [];
    work.open({ status: 'done', output: { output: {}, write: async () => (written.push('x'), []) } });
    await flush();
    expect([await statuses(database), written]).toEqual([['Failed'], []]);
    await operator.stop();
  });
});
