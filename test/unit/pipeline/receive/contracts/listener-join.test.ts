import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createEthersCodec } from '../../../../../src/adapters/contract-codec/ethers.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { networkSource } from '../../../../../src/pipeline/state/chain/cursor.js';
import { createJoin } from '../../../../../src/pipeline/receive/chain/join.js';
import { writeAll } from '../../../../../src/pipeline/receive/chain/applier.js';
import { createListenerApplier } from '../../../../../src/pipeline/receive/contracts/listener.js';
import { createListenerJoinStep } from '../../../../../src/pipeline/receive/contracts/listener-join.js';
import { createSources } from '../../../../../src/pipeline/receive/chain/sources.js';
import { ChainError, type ContractLog, type LogSource } from '../../../../../src/ports/blockchain.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { every } from '../../../../../src/ports/tables/where.js';
import { uuid } from '../../../../support/fixtures.js';
import { aChange, aListener, boxAddress, changed, emptied, otherAddress } from '../../../../support/listeners.js';
import { all } from '../../../../compliance/database/rows.js';

const stored = { genesisHash: 'g', contract: 'c', blockHash: 'b' };
const system = { namespace: systemNamespace };
const never = new AbortController().signal;

let database = createMemoryDatabase();
let chain: ContractLog[] = [];
let sourcesRead: LogSource[] = [];
/** The number of reads of the chain that succeed before it stops answering. */
let reads = Number.POSITIVE_INFINITY;
let starts = 0;

beforeEach(() => {
  database = createMemoryDatabase();
  chain = [];
  sourcesRead = [];
  reads = Number.POSITIVE_INFINITY;
});

/** Starts a node on the stored rows. */
function start() {
  const sources = createSources(database);
  const random = createSeededRandom(starts++);
  const clock = createManualClock({ start: '2026-01-15T10:00:05.000Z' });
  const listeners = createListenerApplier({ codec: createEthersCodec(), clock, random });
  const blockchain = {
    readLogs(source: LogSource, from: number, to: number) {
      reads -= 1;
      if (reads < 0) return Promise.reject(new ChainError('unreachable', 'The chain does not answer'));
      sourcesRead.push(source);
      const isWanted = ({ position: { block }, address }: ContractLog) =>
        block >= from && block <= to && (source.address ?? address) === address;
      return Promise.resolve(chain.filter(isWanted));
    },
  };
  const join = createJoin({ database, blockchain, sources, bus: createBus(), metrics: createSilentMetrics() });
  const step = createListenerJoinStep({ database, join, sources, listeners });
  return { listeners, sources, step: () => step(never) };
}

const insert = (...rows: NewRow<'listeners'>[]) => database.transaction((unit) => unit.insert('listeners', rows));
const readUpTo = (block: number) =>
  database.transaction(async (unit) => {
    await unit.remove('cursors', {});
    await unit.insert('cursors', [{ ...system, source: networkSource, ...stored, block }]);
  });
const eventsOf = async (listener: string) =>
  (await database.rows('blockchainevents', { namespace: every }, all)).filter((row) => row.listener === listener);
const stateOf = async () => (await database.rows('listeners', { namespace: every }, all)).map(({ state }) => state);
const joining = { state: 'joining' } as const;

describe('a listener that joins', () => {
  it('reads its history, then follows', async () => {
    chain = [aChange(1, { block: 2 }), aChange(2, { block: 9 })];
    await insert(aListener(joining));
    await readUpTo(10);
    const node = start();
    await node.step();
    expect(await eventsOf(uuid(700))).toHaveLength(2);
    expect(await stateOf()).toEqual(['following']);
    expect(await database.rows('sources', { namespace: every }, all)).toMatchObject([
      {
        kind: 'listener',
        subject: `${uuid(700)}/${boxAddress}`,
        address: boxAddress,
        namespace: 'default',
        withInput: false,
      },
    ]);
    expect(node.sources.selection().sources).toMatchObject([{ address: boxAddress }]);
  });

  it('later has the same 1,000 events as one from the beginning', async () => {
    chain = Array.from({ length: 1_000 }, (_, n) => aChange(n, { block: 1 + Math.floor(n / 4), index: n % 4 }));
    await insert(aListener());
    const node = start();
    for (let first = 0; first < chain.length; first += 100) {
      const page = chain.slice(first, first + 100);
      await database.transaction((unit) => writeAll(unit, node.listeners.writesFor(page)));
    }
    await readUpTo(300);
    await insert(aListener({ id: uuid(701), name: 'late', ...joining }));
    await node.step();
    const contentsOf = async (listener: string) =>
      (await eventsOf(listener)).map(({ protocolId, output, info, timestamp }) => [
        protocolId,
        output,
        info,
        timestamp,
      ]);
    expect(await contentsOf(uuid(701))).toEqual(await contentsOf(uuid(700)));
    expect(await contentsOf(uuid(701))).toHaveLength(1_000);
    expect(await database.count('events', { namespace: every })).toBe(2_000);
  });

  it('continues after a crash, with each event once and in order', async () => {
    chain = Array.from({ length: 300 }, (_, n) => aChange(n, { block: n + 1 }));
    await insert(aListener(joining));
    await readUpTo(400);
    reads = 1;
    await expect(start().step()).rejects.toThrow('does not answer');
    expect((await eventsOf(uuid(700))).length).toBeGreaterThan(0);
    expect(await stateOf()).toEqual(['joining']);
    reads = Number.POSITIVE_INFINITY;
    await start().step();
    const places = (await eventsOf(uuid(700))).map(({ protocolId }) => protocolId);
    expect(places).toEqual([...new Set(places)].sort());
    expect(places).toHaveLength(300);
    expect(await stateOf()).toEqual(['following']);
  });

  it('begins with its first block, which may not exist yet', async () => {
    chain = [aChange(1, { block: 2 }), aChange(2, { block: 5 }), aChange(3, { block: 8 })];
    await insert(
      aListener({ firstBlock: 5, ...joining }),
      aListener({ id: uuid(701), name: 'ahead', firstBlock: 11, ...joining }),
    );
    await readUpTo(10);
    const node = start();
    await node.step();
    expect(await eventsOf(uuid(700))).toHaveLength(2);
    expect(await stateOf()).toEqual(['following', 'following']);
    await database.transaction((unit) => writeAll(unit, node.listeners.writesFor([aChange(4, { block: 11 })])));
    expect(await eventsOf(uuid(701))).toHaveLength(1);
  });

  it('waits until the node has read a block, and begins after that one', async () => {
    await insert(aListener({ firstBlock: null, ...joining }));
    const node = start();
    await node.step();
    expect(await stateOf()).toEqual(['joining']);
    await readUpTo(10);
    await node.step();
    expect(await database.rows('listeners', { namespace: every }, all)).toMatchObject([
      { state: 'following', firstBlock: 11 },
    ]);
    expect(sourcesRead).toEqual([]);
  });

  it('reads the topics of each of its contracts, and has the events in the order of the chain', async () => {
    chain = [
      aChange(1, { block: 2, address: boxAddress }),
      aChange(2, { block: 3, address: otherAddress }),
      aChange(3, { block: 4, address: boxAddress }),
    ];
    const events = [
      { event: changed, address: otherAddress },
      { event: changed, address: boxAddress },
      { event: emptied, address: boxAddress },
    ];
    await insert(aListener({ events, ...joining }));
    await readUpTo(10);
    await start().step();
    expect(sourcesRead).toMatchObject([
      { address: otherAddress, topics: [expect.any(String)] },
      { address: boxAddress, topics: [expect.any(String), expect.any(String)] },
    ]);
    expect((await eventsOf(uuid(700))).map(({ protocolId }) => Number(protocolId.split('/')[0]))).toEqual([2, 3, 4]);
    expect(await database.rows('sources', { namespace: every }, all)).toMatchObject([
      { subject: `${uuid(700)}/${otherAddress}`, address: otherAddress },
      { subject: `${uuid(700)}/${boxAddress}`, address: boxAddress },
    ]);
  });

  it('reads an event of any contract once, also if another filter names a contract', async () => {
    const events = [
      { event: changed, address: null },
      { event: changed, address: boxAddress },
      { event: emptied, address: boxAddress },
    ];
    await insert(aListener({ events, ...joining }));
    await readUpTo(10);
    await start().step();
    expect(sourcesRead.map(({ address, topics }) => [address, topics.length])).toEqual([
      [null, 1],
      [boxAddress, 1],
    ]);
  });

  it('is not delayed by another whose history cannot be read', async () => {
    chain = [aChange(1, { block: 2 })];
    await insert(aListener(joining), aListener({ id: uuid(701), name: 'newest', firstBlock: 11, ...joining }));
    await readUpTo(10);
    reads = 0;
    await expect(start().step()).rejects.toThrow('does not answer');
    expect(await stateOf()).toEqual(['joining', 'following']);
  });

  it('records nothing once it is deleted', async () => {
    chain = [aChange(1, { block: 2 })];
    await insert(aListener(joining));
    await readUpTo(10);
    const node = start();
    await database.transaction((unit) => unit.remove('listeners', { namespace: 'default' }));
    await node.step();
    expect(await database.rows('blockchainevents', { namespace: every }, all)).toEqual([]);
    expect(await database.rows('sources', { namespace: every }, all)).toEqual([]);
  });
});
