import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import type { AttemptResult, Settlement } from '../../../../src/pipeline/operations/attempt.js';
import { fetchLane, storeLane } from '../../../../src/pipeline/operations/operation.js';
import type { Database } from '../../../../src/ports/database.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { anOperator, done, insert, later, numbers, type Run, statuses, unreachable } from './operations.js';
import { createGate, flush } from '../event-loop.js';

describe('the runner of operations', () => {
  it('runs each operation once, from before its start and later', async () => {
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

  it('keeps to the limit of each lane', async () => {
    const gate = createGate<AttemptResult<Settlement>>();
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

  it('begins operations of other lanes beside a queue that is longer than one read', async () => {
    const gate = createGate<AttemptResult<Settlement>>();
    const database = createMemoryDatabase();
    let rows = 0;
    const counting: Database = {
      ...database,
      rows: async (table, where, options) => {
        const found = await database.rows(table, where, options);
        if (table === 'operations') rows += found.length;
        return found;
      },
    };
    const { operator, bus, begun } = anOperator(() => gate.passed, { database: counting });
    await insert(database, numbers(200));
    await insert(database, [201, 202, 203], { type: 'sharedstorage_download_batch', lane: fetchLane });
    operator.start();
    await flush();
    expect(begun).toEqual(['1@0', '2@0', '201@0', '202@0']);
    // Without room nothing is read.
    rows = 0;
    bus.ring('operations');
    await flush();
    expect(rows).toBe(0);
    gate.open(done);
    await expect.poll(() => begun.length).toBe(203);
    await operator.stop();
  });

  it('repeats operations with unavailable content ever less often, without delaying others', async () => {
    const never = new Promise<never>(() => undefined);
    const wrong: AttemptResult<Settlement> = { status: 'unavailable', error: 'other bytes' };
    const isUnavailable = (id: number): boolean => id <= 10;
    let isSlow = false;
    const run: Run = async (id) => (isUnavailable(id) ? (isSlow ? never : wrong) : done);
    const { operator, database, bus, clock, begun } = anOperator(run, { maxInFlight: 8 });
    await insert(database, numbers(10));
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 5) {
        await clock.advance(5_000);
        await flush();
      }
    };
    operator.start();
    await flush();
    expect(begun).toHaveLength(10);
    await pass(100);
    const early = begun.length;
    expect(early).toBeGreaterThan(50);
    await pass(100);
    // With the usual delays there would be ten attempts of each.
    expect(begun.length - early).toBeLessThanOrEqual(20);
    isSlow = true;
    const before = begun.length;
    await pass(600);
    expect(begun).toHaveLength(before + 2);
    await insert(database, [11, 12, 13, 14, 15, 16]);
    bus.ring('operations');
    await flush();
    expect(begun.slice(-6).map((text) => Number.parseInt(text, 10))).toEqual([11, 12, 13, 14, 15, 16]);
    expect(await database.count('operations', { namespace: 'default', status: 'Succeeded' })).toBe(6);
    void operator.stop();
  });

  it.each([
    ['one of them ends', done],
    ['the service was unreachable', unreachable],
  ])('repeats all operations with unavailable content at once when %s', async (_, answer) => {
    let isRepaired = false;
    const run: Run = async (id) => {
      if (!isRepaired) return { status: 'unavailable', error: 'other bytes' };
      return id === 1 && answer === unreachable ? unreachableOnce() : done;
    };
    let wasAway = false;
    const unreachableOnce = (): AttemptResult<Settlement> => {
      if (wasAway) return done;
      wasAway = true;
      return unreachable;
    };
    const { operator, database, bus, clock } = anOperator(run, { maxInFlight: 8 });
    const ended = () => database.count('operations', { namespace: 'default', status: 'Succeeded' });
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        await clock.advance(1_000);
        await flush();
      }
    };
    operator.start();
    await insert(database, [1]);
    bus.ring('operations');
    await pass(450);
    // The later operations have waited for half as long, so their delays end at another time.
    await insert(database, [2, 3, 4, 5, 6]);
    bus.ring('operations');
    await pass(250);
    isRepaired = true;
    for (let second = 0; (await ended()) === 0 && second < 600; second++) await pass(1);
    await pass(2);
    expect(await ended()).toBe(6);
    await operator.stop();
  });

  it('runs first attempts before repeats', async () => {
    const { operator, database, begun } = anOperator(async () => done, { maxInFlight: 1 });
    await insert(database, [1, 2], { status: 'Pending' });
    await insert(database, [3, 4]);
    operator.start();
    await flush();
    expect(begun).toEqual(['3@0', '4@0', '1@0', '2@0']);
    await operator.stop();
  });

  it('continues all 1,200 operations that were tried before a restart', async () => {
    const { operator, database, begun } = anOperator(async () => done, { maxInFlight: 50 });
    await insert(database, numbers(1_200), { status: 'Pending' });
    operator.start();
    await expect.poll(() => begun.length).toBe(1_200);
    await operator.stop();
  });

  it('delays only the operation that must be tried later, longer each time', async () => {
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

  it('backs off a whole lane while its service is unreachable, and no other lane', async () => {
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
    expect(operator.away()).toEqual([{ lane: storeLane, since, error: 'no answer' }]);
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

  it('repeats an operation also among 300 others that never succeed', async () => {
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

  it('begins no operation whose row it was reading when it stops', async () => {
    const gate = createGate<void>();
    const rows = createMemoryDatabase();
    const database: Database = {
      ...rows,
      rows: async (table, where, options) => {
        const found = await rows.rows(table, where, options);
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

  it('repeats no operation after it has stopped', async () => {
    const { operator, database, clock, begun } = anOperator(async () => later);
    await insert(database, [1]);
    operator.start();
    await flush();
    await operator.stop();
    await clock.advance(60_000);
    await flush();
    expect(begun).toEqual(['1@0']);
    expect(await database.count('operations', { namespace: 'default', status: 'Pending' })).toBe(1);
  });

  it('does not repeat an operation that ended while its row was being read', async () => {
    const database = createMemoryDatabase();
    const lookup = createGate<void>();
    let isSlow = false;
    const slow: Database = {
      ...database,
      async rows(table, where, options) {
        const rows = await database.rows(table, where, options);
        if (table === 'operations' && isSlow) await lookup.passed;
        return rows;
      },
    };
    const work = createGate<AttemptResult<Settlement>>();
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
});
