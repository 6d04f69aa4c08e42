import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../../src/domain/invariant.js';
import type { AttemptResult, Settlement } from '../../../../src/pipeline/operations/attempt.js';
import { uuid } from '../../../support/fixtures.js';
import { rowsOf } from '../../../support/pipelines-check.js';
import { anOperator, done, failed, insert, later, statuses } from './operations.js';
import { createGate, flush } from '../event-loop.js';

describe('an attempt of an operation', () => {
  it('stores why an operation waits, and clears that when it is done', async () => {
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

  it('says that the disk is full where that is the reason, on either engine', async () => {
    for (const code of ['SQLITE_FULL', '53100']) {
      const full = Object.assign(new Error('no space'), { code });
      const { operator, database } = anOperator(async () => Promise.reject(full));
      await insert(database, [1]);
      operator.start();
      await flush();
      expect(await rowsOf(database, 'operations')).toMatchObject([
        { status: 'Pending', error: expect.stringMatching(/^PY1009: The disk is full/) as string },
      ]);
      await operator.stop();
    }
  });

  it('does not repeat an operation that has failed', async () => {
    const { operator, database, bus, clock, begun } = anOperator(async () => failed);
    await insert(database, [1]);
    operator.start();
    await flush();
    bus.ring('operations');
    await clock.advance(60_000);
    await flush();
    expect(begun).toEqual(['1@0']);
    expect(await rowsOf(database, 'operations')).toMatchObject([{ status: 'Failed', error: 'refused forever' }]);
    await operator.stop();
  });

  it('settles an operation and its further rows in one unit, and rings after the commit', async () => {
    const storedAtRing: string[] = [];
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
    const rung = listening.then(async () => {
      storedAtRing.push(
        ...(await rowsOf(database, 'due')).map(({ context }) => context),
        ...(await statuses(database)),
      );
    });
    await insert(database, [1]);
    operator.start();
    await rung;
    expect(storedAtRing).toEqual(['c', 'Succeeded']);
    await operator.stop();
  });

  it('rolls back and repeats an operation whose further rows cannot be written', async () => {
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

  it('counts an attempt that throws, and repeats it without reporting a defect', async () => {
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

  it('does not wait for answers when it stops, and settles no later one', async () => {
    const gate = createGate<AttemptResult<Settlement>>();
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

  it('waits for a unit in progress when it stops', async () => {
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

  it('writes no further rows of an operation that has ended already', async () => {
    const work = createGate<AttemptResult<Settlement>>();
    const { operator, database } = anOperator(() => work.passed);
    await insert(database, [1]);
    operator.start();
    await flush();
    await database.transaction((unit) =>
      unit.update('operations', { namespace: 'default', id: uuid(1) }, { status: 'Failed' }),
    );
    const written: string[] = [];
    work.open({ status: 'done', output: { output: {}, write: async () => (written.push('x'), []) } });
    await flush();
    expect([await statuses(database), written]).toEqual([['Failed'], []]);
    await operator.stop();
  });
});
