import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { waitOn } from '../../../../src/pipeline/judging/attempts.js';
import { createJudging } from '../../../../src/pipeline/judging/judging.js';
import type { Need } from '../../../../src/pipeline/judging/need.js';
import type { Database } from '../../../../src/ports/database.js';
import { JudgeError } from '../../../../src/ports/judge.js';
import { rowsOf } from '../../../support/pipelines-check.js';

const namespace = 'svc_system';
const system = { namespace, since: createManualClock().now() };

/** Creates a node that can be restarted; a judgement of a key that `kills` selects never ends. */
function aNode() {
  const database = createMemoryDatabase();
  const judged: string[] = [];
  let crashes = (_key: string): boolean => false;

  function start(over: Database = database) {
    const failpoint = { reach: () => Promise.resolve() };
    return createJudging({ database: over, clock: createManualClock(), log: createSilentLog(), failpoint });
  }

  function need(key: string, end: () => Promise<void> = () => Promise.resolve()): Need {
    return {
      key,
      subject: `the value ${key}`,
      sizeBytes: 1_000,
      judge: () => {
        judged.push(key);
        return crashes(key) ? new Promise(() => undefined) : end();
      },
    };
  }

  return {
    database,
    judged,
    start,
    need,
    kills(predicate: typeof crashes) {
      crashes = predicate;
    },
    attempts: async () =>
      (await rowsOf(database, 'judgements')).map(({ key, attempts }): [string, number] => [key, attempts]),
    due: async () => (await rowsOf(database, 'due')).map(({ context }) => context),
    wait: (context: string, key: string) =>
      database.transaction((unit) => unit.put('waits', [{ ...system, context, on: waitOn(key) }])),
  };
}

const signal = new AbortController().signal;
const fails = () => Promise.reject(new JudgeError('late', 'too late'));

describe('judging', () => {
  it('counts an attempt before it begins, and removes the count when it has ended', async () => {
    const node = aNode();
    await node.wait('orders', 'a');
    const judging = node.start();
    let during: unknown;
    judging.add([
      node.need('a', async () => {
        during = await node.attempts();
      }),
    ]);
    expect(await judging.step(signal)).toEqual({ hasWorked: true, rings: ['due'] });
    expect(during).toEqual([['a', 1]]);
    expect(await node.attempts()).toEqual([]);
    expect(await node.due()).toEqual(['orders']);
  });

  it('holds a judgement after three attempts that do not end, and continues with others', async () => {
    const node = aNode();
    const judging = node.start();
    judging.add([node.need('bad', fails), node.need('good')]);
    for (let isWorking = true; isWorking;) isWorking = (await judging.step(signal)).hasWorked;
    expect(node.judged).toEqual(['bad', 'good', 'bad', 'bad']);
    expect(await node.attempts()).toEqual([['bad', 3]]);
    judging.add([node.need('bad', fails)]);
    expect(await judging.step(signal)).toEqual({ hasWorked: false, rings: [] });
  });

  it('counts attempts over restarts, and tries new judgements first', async () => {
    const node = aNode();
    node.kills((key) => key === 'deadly');
    for (let life = 1; life <= 3; life++) {
      const judging = node.start();
      await judging.load();
      judging.add([node.need('deadly'), node.need(`new-${life}`)]);
      if (life > 1) await judging.step(signal);
      void judging.step(signal);
      await expect.poll(() => node.attempts()).toEqual([['deadly', life]]);
    }
    expect(node.judged).toEqual(['deadly', 'new-2', 'deadly', 'new-3', 'deadly']);
    const last = node.start();
    await last.load();
    last.add([node.need('deadly'), node.need('other')]);
    for (let isWorking = true; isWorking;) isWorking = (await last.step(signal)).hasWorked;
    expect(node.judged.slice(5)).toEqual(['other']);
    expect(await node.attempts()).toEqual([['deadly', 3]]);
  });

  it('does not count an attempt that an orderly stop ended, and releases held judgements', async () => {
    const node = aNode();
    const judging = node.start();
    judging.add([node.need('a', () => Promise.reject(new JudgeError('stopped', 'stopped')))]);
    expect(await judging.step(signal)).toEqual({ hasWorked: false, rings: [] });
    expect(await node.attempts()).toEqual([['a', 0]]);
    const other = node.start();
    other.add([node.need('bad', fails)]);
    for (let isWorking = true; isWorking;) isWorking = (await other.step(signal)).hasWorked;
    expect(await node.attempts()).toEqual([
      ['a', 0],
      ['bad', 3],
    ]);
    await other.release();
    expect(await node.attempts()).toEqual([
      ['a', 0],
      ['bad', 0],
    ]);
  });

  it('marks contexts as due again whose judgement had no room', async () => {
    const node = aNode();
    const judging = node.start();
    const keys = Array.from({ length: 70 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => node.wait(key, key)));
    judging.add(keys.map((key) => node.need(key)));
    for (let isWorking = true; isWorking;) isWorking = (await judging.step(signal)).hasWorked;
    expect(node.judged).toHaveLength(64);
    expect(new Set(await node.due())).toEqual(new Set(keys));
  });

  it('marks contexts without room as due also after a failed unit', async () => {
    const node = aNode();
    const keys = Array.from({ length: 70 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => node.wait(key, key)));
    let failures = 0;
    const judging = node.start({
      ...node.database,
      async transaction(work, options) {
        // Fails the second unit after the first judgement, which marks contexts as due.
        if (node.judged.length === 1 && failures < 2 && failures++ === 1) throw new Error('the disk is busy');
        return node.database.transaction(work, options);
      },
    });
    judging.add(keys.map((key) => node.need(key)));
    const step = () => judging.step(signal).catch(() => ({ hasWorked: true }));
    for (let isWorking = true; isWorking;) isWorking = (await step()).hasWorked;
    expect(failures).toBe(2);
    expect(new Set(await node.due())).toEqual(new Set(keys));
  });
});
