import { describe, expect, it } from 'vitest';
import { begunSource, readCursor, storeCursor } from '../../src/pipeline/state/chain/cursor.js';
import type { Database } from '../../src/ports/database.js';
import { textOf } from '../../src/wire/json/json.js';
import { uuid } from '../support/fixtures.js';
import { stateAt } from '../support/party-blobs.js';
import { decided, expectOneOrder, rowsOf } from '../support/pipelines-check.js';
import { databaseKinds } from '../support/database-kinds.js';
import { about, type Party, type Pipelines, to, usePipelines } from '../support/pipelines.js';
import { rebuildAll, reorganise } from '../support/reorganised.js';
import { amountOf, attached, balancesAt, makePool } from '../support/tokens.js';

const start = usePipelines();
const parties = { organizations: ['alice', 'bob'] };
let values = 0;

/** Broadcasts and private messages of all parties. */
async function traffic(network: Pipelines, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const party of network.parties) {
      await party.broadcast(about(['orders', party.name], (values += 1)));
      await party.send(to(['alice', 'bob'], ['deal'], (values += 1)));
      await network.clock.advance(1);
    }
    await network.settle();
  }
}

/** Creates a pool, mints with and without messages, and transfers tokens. */
async function trade(network: Pipelines, pool: string): Promise<void> {
  const [alice, bob] = [network.party('alice'), network.party('bob')];
  await alice.operate('mint', { ...amountOf(10), pool, ...attached((values += 1)) });
  await network.settle();
  await alice.operate('transfer', { ...amountOf(3), pool, to: bob.key, ...attached((values += 1), ['alice', 'bob']) });
  await network.settle();
  await bob.operate('transfer', { ...amountOf(1), pool, to: alice.key });
  await network.settle();
}

/** Returns everything that a party has derived from the chain, without its own times, sequences and ids. */
async function derivedAt(party: Party): Promise<Readonly<Record<string, readonly string[]>>> {
  const database = party.database();
  const some = async <Row>(rows: Promise<readonly Row[]>, columns: readonly (keyof Row)[]) =>
    (await rows).map((row) => JSON.stringify(columns.map((column) => row[column]))).sort();
  return {
    messages: await some(rowsOf(database, 'messages'), ['id', 'hash', 'state', 'batch', 'txid', 'pins', 'nonces']),
    data: await some(rowsOf(database, 'data'), ['id', 'hash', 'seal', 'value', 'blobHash']),
    batches: await some(rowsOf(database, 'batches'), ['id', 'hash', 'signer', 'state', 'group', 'payloadRef']),
    pins: await some(rowsOf(database, 'pins'), ['context', 'batch', 'index', 'spent', 'block', 'identity']),
    nextpins: await some(rowsOf(database, 'nextpins'), ['context', 'identity', 'nonce', 'hash']),
    nonces: await some(rowsOf(database, 'nonces'), ['context', 'identity', 'nonce']),
    groups: await some(rowsOf(database, 'groups'), ['hash', 'members', 'message']),
    datatypes: await some(rowsOf(database, 'datatypes'), ['id', 'name', 'version', 'value']),
    profiles: await some(rowsOf(database, 'profiles'), ['identity', 'description', 'profile', 'message', 'claim']),
    identities: await some(rowsOf(database, 'identities'), ['did', 'block', 'endpoint']),
    keys: await some(rowsOf(database, 'keys'), ['key', 'identity']),
    pools: await some(rowsOf(database, 'pools'), ['id', 'name', 'networkName', 'state', 'active', 'published', 'txid']),
    transfers: await some(rowsOf(database, 'transfers'), ['protocolId', 'type', 'amount', 'message', 'txid', 'from']),
    balances: await some(rowsOf(database, 'balances'), ['pool', 'key', 'balance', 'updated']),
    accounts: await some(rowsOf(database, 'accounts'), ['key']),
    transactions: await some(rowsOf(database, 'transactions'), ['id', 'type', 'blockchainIds']),
    events: await some(rowsOf(database, 'events'), ['namespace', 'type', 'referenceHash', 'topic', 'tx']),
    blockchainevents: await some(rowsOf(database, 'blockchainevents'), [
      'protocolId',
      'name',
      'output',
      'txid',
      'info',
    ]),
    operations: await some(rowsOf(database, 'operations'), ['type', 'status', 'tx', 'nonce', 'transactionHash']),
    candidates: await some(rowsOf(database, 'candidates'), ['hash']),
    payloads: await some(rowsOf(database, 'payloads'), ['hash']),
    waits: await some(rowsOf(database, 'waits'), ['context', 'on']),
  };
}

describe.each(databaseKinds)('a rebuild on %s', (database) => {
  it('leaves a party unchanged if the chain has all blocks that were read', async () => {
    const network = await start({ ...parties, database });
    await traffic(network, 2);
    const bob = network.party('bob');
    const before = [
      await derivedAt(bob),
      await rowsOf(bob.database(), 'events'),
      await rowsOf(bob.database(), 'messages'),
    ];
    expect(await bob.rebuild()).toBe(true);
    await bob.restart();
    await network.settle();
    const after = [
      await derivedAt(bob),
      await rowsOf(bob.database(), 'events'),
      await rowsOf(bob.database(), 'messages'),
    ];
    expect(after).toEqual(before);
  });

  it.each([0, 6])('from block %i on has the same result as before, and repeats its events', async (from) => {
    const network = await start({ ...parties, database });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    await alice.pipeline().acceptDatatype('default', { name: 'note', version: '1', value: textOf({ type: 'string' }) });
    await traffic(network, 1);
    const pool = await makePool(network, alice);
    await network.pass(1_000);
    await trade(network, pool.id ?? '');
    for (const party of [bob, alice]) {
      const before = await derivedAt(party);
      const order = await decided(party);
      const last = (await rowsOf(party.database(), 'events')).at(-1)?.sequence ?? 0;
      expect(await party.rebuild({ from })).toBe(true);
      await party.restart();
      await network.pass(12_000);
      expect(await derivedAt(party)).toEqual(before);
      expect([...(await decided(party))].sort()).toEqual([...order].sort());
      const events = await rowsOf(party.database(), 'events');
      const again = events.filter(({ sequence, type }) => sequence > last && type === 'message_confirmed');
      expect(again.length).toBeGreaterThan(from === 0 ? order.length - 1 : 0);
    }
    await traffic(network, 1);
    await expectOneOrder(network, ['orders', 'deal']);
  });

  it('confirms everything again after a reorganisation, in one order, and pins nothing twice', async () => {
    const network = await start({ ...parties, database });
    await traffic(network, 4);
    await reorganise(network, 9);
    await rebuildAll(network);
    await expectOneOrder(network, ['orders', 'deal']);
    const hashes = network.ledger.logs().flatMap((log) => (log.type === 'batch_pin' ? [log.batchHash] : []));
    expect(new Set(hashes).size).toBe(hashes.length);
    await traffic(network, 1);
  });
});

describe('a rebuild of a party that has changed a published API', () => {
  /** The APIs of a party, without the sequences of their pins. */
  const apisOf = async (party: Party) =>
    (await rowsOf(party.database(), 'apis')).map(({ sequence: _, pin, ...row }) => ({ ...row, hasPin: pin !== null }));

  it('has the same API as before, each time', async () => {
    const network = await start(parties);
    const alice = network.party('alice');
    const { acceptInterface, acceptApi, changeApi } = alice.pipeline();
    const described = ['1', '2'].map((version) => ({ name: 'escrow', version }));
    for (const its of described) await acceptInterface('default', its, true);
    await network.settle();
    const [first, second] = await rowsOf(alice.database(), 'interfaces');
    const { record } = await acceptApi('default', { name: 'escrow', interface: { id: first?.id ?? '' } }, true);
    await network.settle();
    await changeApi('default', record.id, { name: 'escrow', interface: { id: second?.id ?? '' } });
    await network.settle();
    const before = await apisOf(alice);
    expect(before).toMatchObject([{ id: record.id, name: 'escrow', interface: second?.id, published: true }]);
    for (let time = 1; time <= 2; time += 1) {
      expect(await alice.rebuild({ from: 0 })).toBe(true);
      await alice.restart();
      await network.pass(12_000);
      expect(await apisOf(alice)).toEqual(before);
    }
  });
});

/** Leaves the mark of a page that was stored in part, which must not stop the node after its rebuild. */
async function beginPage(database: Database): Promise<void> {
  await database.transaction(async (unit) => {
    const cursor = await readCursor(unit);
    if (cursor !== undefined) await storeCursor(unit, undefined, cursor, begunSource);
  });
}

describe('a rebuild after a reorganisation', () => {
  it('moves tokens again before the messages of their operations, so that these are confirmed', async () => {
    const network = await start(parties);
    const pool = await makePool(network, network.party('alice'));
    await network.pass(1_000);
    const blocks = network.ledger.head();
    await trade(network, pool.id ?? '');
    const before = await balancesAt(network.party('alice'), pool.id ?? '');
    const order = await decided(network.party('bob'));
    for (const party of network.parties) await beginPage(party.database());
    await reorganise(network, network.ledger.head() - blocks);
    await rebuildAll(network);
    for (const party of network.parties) {
      expect(await balancesAt(party, pool.id ?? '')).toEqual(before);
      expect(await decided(party)).toEqual(order);
      for (const id of order) expect(await stateAt(party, id)).toBe('confirmed');
    }
  });

  it('creates a pool again whose block no longer exists, and defines its new place', async () => {
    const network = await start(parties);
    const blocks = network.ledger.head();
    const pool = await makePool(network, network.party('alice'));
    await network.pass(1_000);
    await trade(network, pool.id ?? '');
    await reorganise(network, network.ledger.head() - blocks);
    await rebuildAll(network);
    for (const party of network.parties) {
      const [row] = await rowsOf(party.database(), 'pools');
      expect(row).toMatchObject({ id: pool.id, active: true, published: true, state: 'followed' });
    }
    await network.party('alice').operate('mint', { ...amountOf(2), pool: pool.id ?? '' });
    await network.pass(1_000);
    const [first, second] = await Promise.all(network.parties.map((party) => balancesAt(party, pool.id ?? '')));
    expect(first).toEqual(second);
    expect(Object.values(first ?? {}).reduce((sum, balance) => sum + Number(balance), 0)).toBe(12);
  });

  it('gives a pool the interface of its definition, if its own interface has another id since', async () => {
    const network = await start(parties);
    const alice = network.party('alice');
    const refer = (id: string): Promise<unknown> =>
      alice.database().transaction((unit) => unit.update('pools', { namespace: 'default' }, { interface: id }));
    await alice.pipeline().acceptPool('default', { name: 'coins', type: 'fungible' }, true);
    await refer(uuid(11));
    await network.settle();
    await network.pass(1_000);
    await refer(uuid(12));
    expect(await alice.rebuild({ from: 0 })).toBe(true);
    await alice.restart();
    await network.pass(12_000);
    for (const party of network.parties) {
      expect(await rowsOf(party.database(), 'pools')).toMatchObject([{ interface: uuid(11), published: true }]);
    }
  });

  it('continues when it is repeated, wherever it was killed', async () => {
    const network = await start(parties);
    const pool = await makePool(network, network.party('alice'));
    await network.pass(1_000);
    await traffic(network, 1);
    await trade(network, pool.id ?? '');
    const bob = network.party('bob');
    const before = await derivedAt(bob);
    for (let dieAt = 1, isDone = false; !isDone; dieAt += 1) {
      isDone = await bob.rebuild({ from: 4, dieAt });
      if (isDone) expect(dieAt).toBeGreaterThan(3);
      expect(await bob.rebuild()).toBe(true);
      await bob.restart();
      await network.pass(6_000);
      expect(await derivedAt(bob)).toEqual(before);
    }
  });
});
