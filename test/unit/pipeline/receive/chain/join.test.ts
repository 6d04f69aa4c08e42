import { describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createJoin, type Joining } from '../../../../../src/pipeline/receive/chain/join.js';
import { createSources } from '../../../../../src/pipeline/receive/chain/sources.js';
import type { ContractLog } from '../../../../../src/ports/blockchain.js';
import type { Database, Unit } from '../../../../../src/ports/database.js';
import { uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { contractAddress, transferLogs } from '../../../../support/token-logs.js';

const signal = new AbortController().signal;

/** A chain with one transaction a block, of which this node has read all up to `read`. */
async function aChain({ read, head = read }: { readonly read: number; readonly head?: number }) {
  const database = createMemoryDatabase();
  const sources = createSources(database);
  const cursor = { namespace: 'svc_system', source: 'network', genesisHash: 'g', contract: '0xc', blockHash: 'b' };
  await database.transaction((unit) => unit.insert('cursors', [{ ...cursor, block: read }]));
  const asked: (readonly [number, number])[] = [];
  const topicsAsked: string[] = [];
  const chain = {
    database,
    sources,
    asked,
    topicsAsked,
    /** Called with each range that is read. */
    onRead: (_: readonly [number, number]): Promise<unknown> => Promise.resolve(),
    /** The reader of the pages has come to a block. */
    advance: (block: number) => database.transaction((unit) => unit.update('cursors', {}, { block })),
  };
  const join = createJoin({
    database,
    blockchain: {
      async readLogs({ topics }, from, to) {
        asked.push([from, to]);
        topicsAsked.push(...topics);
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

/** Keeps the blocks that it is given, each once, as rows of `due`. */
function aJoining(changes: Partial<Joining> = {}): Joining {
  const reads = { address: contractAddress, topics: ['0x1'] };
  return {
    sources: [{ namespace: 'default', kind: 'pool', subject: uuid(1), ...reads, withInput: false }],
    reads: [reads],
    from: 3,
    apply: async (unit, logs) => ({ bells: await keep(unit, logs), counts: {} }),
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
  it('brings its whole history, and its row stands where the history ends', async () => {
    const { join, database, sources } = await aChain({ read: 700 });
    expect(await join(aJoining(), signal)).toBe('joined');
    expect(await blocksOf(database)).toEqual(upTo(3, 700));
    expect(await rowsOf(database, 'sources')).toMatchObject([{ subject: uuid(1), address: contractAddress }]);
    expect(sources.selection()).toMatchObject({
      revision: 1,
      sources: [{ address: contractAddress, topics: ['0x1'] }],
    });
  });

  it('has what another source brings from before it, which is read of no block behind', async () => {
    const { join, database, asked, topicsAsked } = await aChain({ read: 12 });
    const before = { address: contractAddress, topics: ['0x2'], from: 1 };
    expect(await join(aJoining({ before }), signal)).toBe('joined');
    expect(asked).toEqual([
      [1, 2],
      [3, 12],
    ]);
    expect(topicsAsked).toEqual(['0x2', '0x1']);
    expect(await blocksOf(database)).toEqual(upTo(1, 12));
  });

  it('reads what the pages went past meanwhile, and joins only where nothing is between', async () => {
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

  it('is complete when it is begun again after a crash, however far it had come', async () => {
    const { join, database, chain } = await aChain({ read: 300 });
    chain.onRead = ([from]) => (from > 3 ? Promise.reject(new Error('killed')) : Promise.resolve());
    await expect(join(aJoining(), signal)).rejects.toThrow('killed');
    expect(await rowsOf(database, 'sources')).toEqual([]);
    chain.onRead = () => Promise.resolve();
    expect(await join(aJoining(), signal)).toBe('joined');
    expect(await blocksOf(database)).toEqual(upTo(3, 300));
    expect(await rowsOf(database, 'sources')).toHaveLength(1);
  });

  it('writes nothing more, and does not join, when it is not wanted any more', async () => {
    const { join, database } = await aChain({ read: 700 });
    const isWanted = async (unit: Unit): Promise<boolean> => (await unit.count('due', {})) < 100;
    expect(await join(aJoining({ isWanted }), signal)).toBe('unwanted');
    expect(await rowsOf(database, 'sources')).toEqual([]);
    const kept = (await blocksOf(database)).length;
    expect(kept).toBeLessThan(698);
  });

  it('waits for pages when it begins ahead of them', async () => {
    const { join, database, asked } = await aChain({ read: 2 });
    expect(await join(aJoining(), signal)).toBe('unread');
    expect(asked).toEqual([]);
    expect(await rowsOf(database, 'sources')).toEqual([]);
  });

  it('takes its history in units of bounded size, and no transaction is in two', async () => {
    const { join } = await aChain({ read: 2_000 });
    const sizes: number[] = [];
    const apply: Joining['apply'] = (_, logs) => {
      sizes.push(logs.length);
      expect(logs.length % 2).toBe(0);
      return Promise.resolve({ bells: [], counts: {} });
    };
    await join(aJoining({ apply }), signal);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(502);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2 * 1_998);
  });
});

describe('what is selected', () => {
  it('is one source for each contract, with the topics of all, and replaces what was selected before', async () => {
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

  it('stays while no source is added', async () => {
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
