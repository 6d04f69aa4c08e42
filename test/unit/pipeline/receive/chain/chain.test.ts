import { describe, expect, it } from 'vitest';
import { profileRulesOf } from '../../../../../src/domain/network/profile.js';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createDirectJudge } from '../../../../../src/adapters/judge/direct.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { networkLimits } from '../../../../../src/domain/network/limits.js';
import { currentRules, firstRules, recordedLimits } from '../../../../../src/domain/network/network-rules.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createChainReceiver } from '../../../../../src/pipeline/receive/chain/chain.js';
import { createNonceGaps } from '../../../../../src/pipeline/receive/messages/nonces.js';
import type { SourceApplier } from '../../../../../src/pipeline/receive/chain/applier.js';
import { createSources } from '../../../../../src/pipeline/receive/chain/sources.js';
import type { Decider } from '../../../../../src/pipeline/decider.js';
import { createRegistry } from '../../../../../src/pipeline/state/identities/registry.js';
import { createRulebook, recordRules, type Rulebook } from '../../../../../src/pipeline/state/rulebook.js';
import type { ChainCursor, LogPage, NetworkLog, PinLog } from '../../../../../src/ports/blockchain.js';
import type { Database } from '../../../../../src/ports/database.js';
import type { Metrics } from '../../../../../src/ports/metrics.js';
import { textOf } from '../../../../../src/wire/json/json.js';
import { alice, uuid } from '../../../../support/fixtures.js';
import { aChange } from '../../../../support/listeners.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

const time = '2026-01-15T10:00:00.000Z';
/** A key in the wallet of alice's node, whose owner only the registry names. */
const spare = `0x${'5'.repeat(40)}`;
const bob = `0x${'b'.repeat(40)}`;
const genesisHash = '9'.repeat(64);

type Placeless<T> = T extends NetworkLog ? Omit<T, 'position' | 'transactionHash' | 'time'> : never;

/** Returns a page with one block. */
function aPage(block: number, logs: readonly Placeless<NetworkLog>[], changes: Partial<ChainCursor> = {}): LogPage {
  return {
    logs: logs.map((log, logIndex) => ({
      ...log,
      position: { block, transactionIndex: 0, logIndex },
      transactionHash: 'f'.repeat(64),
      time,
    })),
    cursor: { genesisHash, contract: '0xc', block, blockHash: String(block), ...changes },
    revision: 0,
  };
}

function member(organization: string, key: string): Placeless<NetworkLog> {
  return { type: 'member_added', organization, key, node: `${organization}-node`, endpoint: 'a', publicKeyHash: 'h' };
}

function created(limits: unknown): Placeless<NetworkLog> {
  return { type: 'network_created', limits: textOf(limits) };
}

function aPin(signer: string, changes: Partial<PinLog> = {}): Placeless<PinLog> {
  const batch = { transactionId: uuid(1), batchId: uuid(2), batchHash: 'a'.repeat(64), payloadRef: 'ref' };
  return { type: 'batch_pin', signer, ...batch, contexts: ['c1', 'c2'], ...changes };
}

/** Applies the pages in order, and returns the fatal errors. */
async function applyPages(database: Database, ...pages: readonly LogPage[]): Promise<readonly Error[]> {
  return (await read(database, pages)).fatal;
}

/** Applies the pages in order, and returns the fatal errors and the rulebook. */
async function read(
  database: Database,
  pages: readonly LogPage[],
  {
    decider = { decideFew: () => Promise.resolve(() => Promise.resolve([])) },
    appliers = [],
    metrics = createSilentMetrics(),
  }: { readonly decider?: Decider; readonly appliers?: readonly SourceApplier[]; readonly metrics?: Metrics } = {},
): Promise<{ readonly fatal: readonly Error[]; readonly rulebook: Rulebook }> {
  const clock = createManualClock();
  const rulebook = createRulebook(clock);
  const fatal: Error[] = [];
  await new Promise<void>((resolve) => {
    const receiver = createChainReceiver({
      judge: createDirectJudge(),
      profileRules: profileRulesOf(undefined),
      database,
      blockchain: {
        ...createMemoryLedger({ clock }).connect({ keys: [alice.key] }),
        async watch({ handler }) {
          try {
            for (const page of pages) await handler(page);
          } catch (error) {
            if (fatal.length === 0) throw error;
          } finally {
            resolve();
          }
        },
      },
      namespaces: ['default', 'svc_system'],
      own: { organization: 'alice', did: alice.did, key: alice.key, keys: [alice.key, spare] },
      bus: createBus(),
      clock,
      random: createSeededRandom(1),
      metrics,
      registry: createRegistry(),
      nonceGaps: createNonceGaps(),
      decider,
      rulebook,
      sources: createSources(database),
      appliers,
      failpoint: { reach: () => Promise.resolve() },
      onForeignChain: (error) => fatal.push(error),
    });
    receiver.start();
  });
  return { fatal, rulebook };
}

async function everyRow(database: Database) {
  return {
    identities: await rowsOf(database, 'identities'),
    keys: await rowsOf(database, 'keys'),
    batches: await rowsOf(database, 'batches'),
    pins: await rowsOf(database, 'pins'),
    operations: await rowsOf(database, 'operations'),
    due: await rowsOf(database, 'due'),
    blockchainEvents: await rowsOf(database, 'blockchainevents'),
    events: await rowsOf(database, 'events'),
    cursors: await rowsOf(database, 'cursors'),
  };
}

describe('the receiver of the chain', () => {
  it('stores the identities, keys, pins and the wanted batch of a page, and its own position', async () => {
    const database = createMemoryDatabase();
    expect(await applyPages(database, aPage(4, [member('bob', bob), aPin(bob)]))).toEqual([]);
    const { identities, keys, batches, pins, operations, due, cursors } = await everyRow(database);
    expect(identities.map(({ did }) => did)).toEqual(['did:parley:org/bob', 'did:parley:node/bob-node']);
    expect(keys).toMatchObject([{ key: bob, identity: 'did:parley:org/bob' }]);
    expect(batches).toMatchObject([{ id: uuid(2), state: 'wanted', signer: bob, author: 'did:parley:org/bob' }]);
    expect(pins.map(({ context, index, spent }) => [context, index, spent])).toEqual([
      ['c1', 0, false],
      ['c2', 1, false],
    ]);
    expect(operations).toMatchObject([{ type: 'sharedstorage_download_batch', status: 'Initialized' }]);
    // Nothing can be decided before the payload arrives.
    expect(due).toEqual([]);
    expect(cursors).toMatchObject([{ block: 4, blockHash: '4', genesisHash }]);
  });

  it('changes nothing for a page that it has applied before', async () => {
    const database = createMemoryDatabase();
    const node = { type: 'node_changed', organization: 'bob', publicKeyHash: 'h' } as const;
    const first = aPage(1, [member('bob', bob), { ...node, endpoint: 'old' }, aPin(bob)]);
    const second = aPage(2, [{ ...node, endpoint: 'new' }, aPin(bob, { batchId: uuid(4) })]);
    await applyPages(database, first, second);
    const before = await everyRow(database);
    expect(await applyPages(database, first, first, second, first)).toEqual([]);
    expect(await everyRow(database)).toEqual(before);
    expect(before.identities[1]?.endpoint).toBe('new');
  });

  it('ends its decisions after the commit, also when a later read fails', async () => {
    const rows = createMemoryDatabase();
    const next = {
      context: 'orders',
      topic: 'orders',
      group: 'g',
      identity: 'did:parley:org/bob',
      nonce: 0,
      hash: 'c1',
    };
    await rows.transaction((unit) => unit.insert('nextpins', [{ namespace: 'default', ...next }]));
    const failing: Database = {
      ...rows,
      rows: (table, ...query) => (table === 'keys' ? Promise.reject(new Error('busy')) : rows.rows(table, ...query)),
    };
    let ends = 0;
    const end = async () => {
      ends++;
      return [];
    };
    const page = aPage(4, [member('bob', bob), aPin(bob, { payloadRef: '' })]);
    const { fatal } = await read(failing, [page], { decider: { decideFew: async () => end } });
    expect([ends, ...fatal.map(({ message }) => message)]).toEqual([1, 'busy']);
  });

  it('adds up the counts of pools and listeners for a page', async () => {
    const counted = new Map<string, number>();
    const metrics: Metrics = {
      ...createSilentMetrics(),
      count: (name, by = 1) => void counted.set(name, (counted.get(name) ?? 0) + by),
    };
    const applier = (by: number): SourceApplier => ({
      writesFor: () => [() => Promise.resolve({ bells: ['events'], counts: { ff_blockchain_events_total: by } })],
    });
    const page = { ...aPage(1, []), logs: [aChange(7, { block: 1 })] };
    await read(createMemoryDatabase(), [page], { appliers: [applier(3), applier(2)], metrics });
    expect(counted.get('ff_blockchain_events_total')).toBe(5);
  });

  it('ignores a pin whose key is not registered before it', async () => {
    const database = createMemoryDatabase();
    const early = aPin(bob, { batchId: uuid(3) });
    await applyPages(
      database,
      aPage(1, [early, member('bob', bob), aPin(bob)]),
      aPage(2, [aPin(`0x${'d'.repeat(40)}`)]),
    );
    expect((await rowsOf(database, 'batches')).map(({ id, signer }) => [id, signer])).toEqual([[uuid(2), bob]]);
    expect(await rowsOf(database, 'pins')).toHaveLength(2);
  });

  it('begins no download and marks no context as due for a pin without a payload reference', async () => {
    const database = createMemoryDatabase();
    await applyPages(database, aPage(1, [member('bob', bob), aPin(bob, { payloadRef: '' })]));
    expect(await rowsOf(database, 'operations')).toEqual([]);
    expect(await rowsOf(database, 'due')).toEqual([]);
    expect((await rowsOf(database, 'pins')).map(({ masked }) => masked)).toEqual([true, true]);
  });

  it.each<[string, Partial<ChainCursor>]>([
    ['genesis', { genesisHash: '0'.repeat(64) }],
    ['contract', { contract: '0xd' }],
  ])('stores nothing of a page with another %s, and reports a fatal error', async (_, changes) => {
    const database = createMemoryDatabase();
    await applyPages(database, aPage(1, [member('bob', bob)]));
    const before = await everyRow(database);
    const fatal = await applyPages(database, aPage(2, [aPin(bob)], changes), aPage(3, [aPin(bob)]));
    expect(fatal).toMatchObject([{ reason: 'other_chain' }]);
    expect(await everyRow(database)).toEqual(before);
  });

  it('stores nothing of a page in which its own key pins an unknown batch', async () => {
    const database = createMemoryDatabase();
    const fatal = await applyPages(
      database,
      aPage(1, [member('alice', alice.key), member('bob', bob), aPin(alice.key)]),
    );
    expect(fatal).toMatchObject([{ reason: 'other_chain' }]);
    expect(Object.values(await everyRow(database)).flat()).toEqual([]);
  });

  it('accepts the pin of a key in its wallet that is registered for another member', async () => {
    const database = createMemoryDatabase();
    const members = [member('alice', alice.key), member('eve', spare)];
    expect(await applyPages(database, aPage(1, [...members, aPin(spare)]))).toEqual([]);
    expect(await rowsOf(database, 'batches')).toMatchObject([{ signer: spare, state: 'wanted' }]);
  });

  it('stores nothing of a page in which a key of its custom identity pins an unknown batch', async () => {
    const database = createMemoryDatabase();
    const desk: Placeless<NetworkLog> = { type: 'key_added', organization: 'alice', name: 'desk', key: spare };
    const fatal = await applyPages(database, aPage(1, [member('alice', alice.key), desk, aPin(spare)]));
    expect(fatal).toMatchObject([{ reason: 'other_chain' }]);
    expect(Object.values(await everyRow(database)).flat()).toEqual([]);
  });

  it('stops before it stores anything if the network was created with other limits', async () => {
    const database = createMemoryDatabase();
    const other = created({ ...recordedLimits, maxTopics: 11 });
    const fatal = await applyPages(
      database,
      aPage(1, [other, member('alice', alice.key)]),
      aPage(2, [aPin(alice.key)]),
    );
    expect(fatal).toMatchObject([{ name: 'ChainError', reason: 'other_chain' }]);
    expect([await rowsOf(database, 'keys'), await rowsOf(database, 'pins')]).toEqual([[], []]);
    expect(await rowsOf(database, 'networks')).toEqual([]);
  });

  it.each([
    ['of the current version', recordedLimits, currentRules],
    ['of the first version', networkLimits, firstRules],
  ])('stores the rules of a network %s, over a restart and a repeated page', async (_, limits, rules) => {
    const database = createMemoryDatabase();
    const page = aPage(1, [created(limits), member('bob', bob)]);
    const { fatal, rulebook } = await read(database, [page, page]);
    expect(fatal).toEqual([]);
    expect(await rulebook.rules(database)).toEqual(rules);
    expect(await rowsOf(database, 'networks')).toMatchObject([{ contract: '0xc', limits: textOf(limits) }]);
    const after = await read(database, [aPage(2, [])]);
    expect(await after.rulebook.rules(database)).toEqual(rules);
  });

  it('finds the rules in the unit that stores them, and not before', async () => {
    const database = createMemoryDatabase();
    const { rulebook } = await read(database, []);
    expect(await rulebook.find(database)).toBeUndefined();
    await database.transaction(async (unit) => {
      await recordRules(unit, '0xc', textOf(recordedLimits));
      expect(await rulebook.find(unit)).toEqual(currentRules);
    });
  });

  it('replaces stored rules by those of the log', async () => {
    const database = createMemoryDatabase();
    await database.transaction((unit) => recordRules(unit, '0xc', textOf(networkLimits)));
    const { rulebook } = await read(database, [aPage(1, [created(recordedLimits)])]);
    expect(await rulebook.rules(database)).toEqual(currentRules);
    expect(await rowsOf(database, 'networks')).toHaveLength(1);
  });
});
