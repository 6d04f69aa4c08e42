import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createJoin, type Joining } from '../../../../../src/pipeline/receive/chain/join.js';
import { createSources } from '../../../../../src/pipeline/receive/chain/sources.js';
import { ChainError, type ContractLog } from '../../../../../src/ports/blockchain.js';
import type { Database, Unit, UnitOptions } from '../../../../../src/ports/database.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { contractAddress, transferLogs } from '../../../../support/token-logs.js';

const signal = new AbortController().signal;

/** Creates a chain with one transaction in each block; the node has read it up to block `read`. */
async function aChain({ read, head = read }: { readonly read: number; readonly head?: number }) {
  const database = createMemoryDatabase();
  const sources = createSources(database);
  const cursor = { namespace: 'svc_system', source: 'network', genesisHash: 'g', contract: '0xc', blockHash: 'b' };
  await database.transaction((unit) => unit.insert('cursors', [{ ...cursor, block: read }]));
  const ranges: (readonly [number, number])[] = [];
  const topics: string[] = [];
  const options: (UnitOptions | undefined)[] = [];
  const chain = {
    database,
    sources,
    /** The options of the units of joins, in order. */
    options,
    ranges,
    topics,
    /** Called with each range that is read. */
    onRead: (_: readonly [number, number]): Promise<unknown> => Promise.resolve(),
    /** Moves the cursor of the chain receiver to a block. */
    advance: (block: number) => database.transaction((unit) => unit.update('cursors', {}, { block })),
  };
  const join = createJoin({
    database: {
      ...database,
      transaction(unit, how) {
        options.push(how);
        return database.transaction(unit, how);
      },
    },
    blockchain: {
      async readLogs(source, from, to) {
        ranges.push([from, to]);
        topics.push(...source.topics);
        expect(to).toBeLessThanOrEqual(head);
        await chain.onRead([from, to]);
        const blocks = Array.from({ length: to - from + 1 }, (_, i) => from + i);
        return blocks.flatMap((block) =>
          transferLogs({ block, operator: contractAddress }, { to: contractAddress, id: 1n << 128n, value: 1n }),
        );
      },
    },
    sources,
    bus: createBus(),
    metrics: createSilentMetrics(),
  });
  return { ...chain, join, chain };
}

/** Returns a source that stores the blocks of its logs, each once, as rows of `due`. */
function aJoining(changes: Partial<Joining> = {}): Joining {
  const reads = { address: contractAddress, topics: ['0x1'] };
  return {
    sources: [{ namespace: 'default', kind: 'pool', subject: uuid(1), ...reads, withInput: false }],
    reads: [reads],
    from: 3,
    writesFor: (logs) => [async (unit) => ({ bells: await keep(unit, logs), counts: {} })],
    isWanted: () => Promise.resolve(true),
    finish: () => Promise.resolve([]),
    ...changes,
  };
}

async function keep(unit: Unit, logs: readonly ContractLog[]): Promise<[]> {
  const blocks = new Set(logs.map(({ position }) => position.block));
  await unit.put(
    'due',
    [...blocks].map((block) => ({ namespace: 'svc_system', context: String(block) })),
  );
  return [];
}

async function blocksOf(database: Database): Promise<number[]> {
  return (await rowsOf(database, 'due')).map(({ context }) => Number(context)).sort((a, b) => a - b);
}

function upTo(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

describe('a source that joins', () => {
  it('reads its whole history, and is stored with its selection at the end', async () => {
    const { join, database, sources } = await aChain({ read: 700 });
    expect(await join(aJoining(), signal)).toBe('joined');
    expect(await blocksOf(database)).toEqual(upTo(3, 700));
    expect(await rowsOf(database, 'sources')).toMatchObject([{ subject: uuid(1), address: contractAddress }]);
    expect(sources.selection()).toMatchObject({
      revision: 1,
      sources: [{ address: contractAddress, topics: ['0x1'] }],
    });
  });

  it('reads another source before its own first block only', async () => {
    const { join, database, ranges, topics } = await aChain({ read: 12 });
    const before = { address: contractAddress, topics: ['0x2'], from: 1 };
    expect(await join(aJoining({ before }), signal)).toBe('joined');
    expect(ranges).toEqual([
      [1, 2],
      [3, 12],
    ]);
    expect(topics).toEqual(['0x2', '0x1']);
    expect(await blocksOf(database)).toEqual(upTo(1, 12));
  });

  it('reads fewer blocks at once if these have too many logs', async () => {
    const { join, database, ranges, chain } = await aChain({ read: 700 });
    chain.onRead = ([from, to]) =>
      to - from < 20 ? Promise.resolve() : Promise.reject(new ChainError('too_many_logs', 'too many'));
    expect(await join(aJoining(), signal)).toBe('joined');
    expect(ranges.slice(0, 4)).toEqual([
      [3, 102],
      [3, 52],
      [3, 27],
      [3, 14],
    ]);
    expect(await blocksOf(database)).toEqual(upTo(3, 700));
  });

  it('reads the blocks that were received meanwhile, and joins only without a gap', async () => {
    const { join, database, chain } = await aChain({ read: 10, head: 14 });
    const steps = [12, 13, 14];
    chain.onRead = async () => {
      const block = steps.shift();
      if (block !== undefined) await chain.advance(block);
    };
    let joinedAt = 0;
    const finish = async (unit: Unit): Promise<[]> => {
      joinedAt = (await unit.first('cursors', {}))?.block ?? 0;
      return [];
    };
    expect(await join(aJoining({ finish }), signal)).toBe('joined');
    expect(await blocksOf(database)).toEqual(upTo(3, 14));
    expect(joinedAt).toBe(14);
  });

  it('reads its whole history when it is started again after a crash', async () => {
    const { join, database, chain } = await aChain({ read: 300 });
    chain.onRead = ([from]) => (from > 3 ? Promise.reject(new Error('killed')) : Promise.resolve());
    await expect(join(aJoining(), signal)).rejects.toThrow('killed');
    expect(await rowsOf(database, 'sources')).toEqual([]);
    chain.onRead = () => Promise.resolve();
    expect(await join(aJoining(), signal)).toBe('joined');
    expect(await blocksOf(database)).toEqual(upTo(3, 300));
    expect(await rowsOf(database, 'sources')).toHaveLength(1);
  });

  it('stops writing and does not join when it is no longer wanted', async () => {
    const { join, database } = await aChain({ read: 700 });
    const isWanted = async (unit: Unit): Promise<boolean> => (await unit.count('due', {})) < 100;
    expect(await join(aJoining({ isWanted }), signal)).toBe('unwanted');
    expect(await rowsOf(database, 'sources')).toEqual([]);
    const kept = (await blocksOf(database)).length;
    expect(kept).toBeGreaterThanOrEqual(100);
    expect(kept).toBeLessThan(698);
  });

  it('waits if its first block is not received yet', async () => {
    const { join, database, ranges } = await aChain({ read: 2 });
    expect(await join(aJoining(), signal)).toBe('unread');
    expect(ranges).toEqual([]);
    expect(await rowsOf(database, 'sources')).toEqual([]);
  });

  it('runs each write of its history in a bulk unit', async () => {
    const { join, database, options } = await aChain({ read: 20 });
    const writesFor: Joining['writesFor'] = (logs) =>
      logs.map((log) => async (unit) => ({ bells: await keep(unit, [log]), counts: {} }));
    await join(aJoining({ writesFor }), signal);
    expect(await blocksOf(database)).toEqual(upTo(3, 20));
    expect(options).toEqual([...upTo(1, 2 * 18).map(() => ({ isBulk: true })), undefined]);
  });
});

describe('the selection of sources', () => {
  it('has one source for each contract, with all topics, and supersedes the selection before', async () => {
    const database = createMemoryDatabase();
    const sources = createSources(database);
    const before = sources.selection();
    const row = { namespace: 'default', kind: 'pool', address: contractAddress, withInput: false } as const;
    await database.transaction((unit) =>
      unit.insert('sources', [
        { ...row, subject: uuid(1), topics: ['0x1', '0x2'] },
        { ...row, subject: uuid(2), topics: ['0x2', '0x3'], withInput: true },
        { ...row, subject: uuid(3), topics: ['0x4'], address: null },
      ]),
    );
    await sources.refresh();
    expect(before.superseded?.aborted).toBe(true);
    expect(sources.selection()).toMatchObject({
      revision: 3,
      sources: [
        { address: contractAddress, topics: ['0x1', '0x2', '0x3'], withInput: true },
        { address: null, topics: ['0x4'] },
      ],
    });
  });

  it('stays the same while no source is added', async () => {
    const database = createMemoryDatabase();
    const sources = createSources(database);
    const row = { namespace: 'default', kind: 'pool', address: null, topics: [], withInput: false } as const;
    await database.transaction((unit) => unit.insert('sources', [{ ...row, subject: uuid(1) }]));
    await sources.refresh();
    const before = sources.selection();
    await database.transaction((unit) => unit.remove('sources', { namespace: 'default', subject: uuid(1) }));
    await sources.refresh();
    expect(sources.selection()).toBe(before);
    expect(before.superseded?.aborted).toBe(false);
  });
});
