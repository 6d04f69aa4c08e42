import { describe, expect, it } from 'vitest';
import { present } from '../../../src/ports/tables/where.js';
import { textOf } from '../../../src/wire/json/json.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { stateAt } from '../../support/party-blobs.js';
import { rowsOf } from '../../support/pipelines-check.js';
import { type Party, type Pipelines, usePipelines } from '../../support/pipelines.js';
import { rebuildAll, reorganise } from '../../support/reorganised.js';
import { amountOf, balancesAt, makePool } from '../../support/tokens.js';

const start = usePipelines();
const parties = { organizations: ['alice', 'bob'] };

const poolsAt = (party: Party) => rowsOf(party.database(), 'pools');

/** The ids of the definitions of pools, and their states at a party. */
async function definitionsAt(party: Party): Promise<readonly (readonly [string, string])[]> {
  const messages = await rowsOf(party.database(), 'messages');
  return messages.filter(({ tag }) => tag === 'svc_define_pool').map(({ id, state }) => [id, state]);
}

/** Makes a pool of alice, mints 5 to her, and publishes it later under another name. Returns its id. */
async function shareLater(network: Pipelines): Promise<string> {
  const alice = network.party('alice');
  const { id = '' } = await makePool(network, alice, { name: 'mine', publish: false });
  await alice.operate('mint', { ...amountOf(5), pool: id });
  await network.settle();
  await alice.pipeline().publishPool('default', 'mine', { networkName: 'shared' });
  await network.settle();
  return id;
}

const unpublished = { active: true, published: false, state: 'followed', message: null, networkName: null };

/** Publishes a pool of alice under its own name, which all parties then have. */
async function publishAs(network: Pipelines, name: string): Promise<void> {
  await network.party('alice').pipeline().publishPool('default', name, {});
  await network.pass(1_000);
  for (const party of network.parties) {
    const pools = await poolsAt(party);
    expect(pools.find(({ networkName }) => networkName === name)).toMatchObject({ active: true, published: true });
  }
}

/** Replaces all blocks since `head`, so that everything in them moves, and rebuilds all parties. */
async function moveSince(network: Pipelines, head: number): Promise<void> {
  await reorganise(network, network.ledger.head() - head);
  await rebuildAll(network);
}

describe('the chain moves the creation of a pool that was published later', () => {
  it('and the pool is defined again, under its names, for all parties', async () => {
    const network = await start(parties);
    const alice = network.party('alice');
    const head = network.ledger.head();
    const id = await shareLater(network);
    await moveSince(network, head);
    const [first, second] = await definitionsAt(alice);
    expect([first?.[1], second?.[1]]).toEqual(['rejected', 'confirmed']);
    for (const party of network.parties) {
      const published = { id, networkName: 'shared', active: true, published: true, state: 'followed' };
      const name = party === alice ? 'mine' : 'shared';
      expect(await poolsAt(party)).toMatchObject([{ ...published, name, message: second?.[0] }]);
      expect(await balancesAt(party, id)).toEqual({ [`${alice.key}/`]: '5' });
    }
    const again = await alice.pipeline().publishPool('default', 'mine', {}).catch(String);
    expect(again).toContain('FF10450');
  });

  it('and the pool stays with its creator if another pool has the name meanwhile', async () => {
    const network = await start(parties);
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const head = network.ledger.head();
    const { id = '' } = await makePool(network, alice, { name: 'mine', publish: false });
    await alice.pipeline().publishPool('default', 'mine', { networkName: 'shared' });
    await network.settle();
    await reorganise(network, network.ledger.head() - head);
    expect(await bob.rebuild()).toBe(true);
    await bob.restart();
    await network.pass(1_000);
    await makePool(network, bob, { name: 'shared' });
    expect(await alice.rebuild()).toBe(true);
    await alice.restart();
    await network.pass(20_000);
    const theirs = { networkName: 'shared', active: true, published: true };
    expect(await poolsAt(alice)).toMatchObject([{ id, name: 'mine', ...unpublished }, theirs]);
    expect(await poolsAt(bob)).toMatchObject([theirs]);
    await publishAs(network, 'mine');
  });

  it('and the pool stays with its creator if its definition was rejected before', async () => {
    const network = await start(parties);
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const head = network.ledger.head();
    const { id = '' } = await makePool(network, alice, { name: 'mine', publish: false });
    await makePool(network, bob, { name: 'shared' });
    const taken = (networkName: string | null): Promise<unknown> =>
      alice
        .database()
        .transaction((unit) => unit.update('pools', { namespace: 'default', pin: present }, { networkName }));
    // Alice has not heard of the other pool when she publishes hers.
    await taken(null);
    await alice.pipeline().publishPool('default', 'mine', { networkName: 'shared' });
    await taken('shared');
    await network.settle();
    expect(await poolsAt(alice)).toMatchObject([{ id, ...unpublished }, {}]);
    await reorganise(network, network.ledger.head() - head);
    for (const party of network.parties) {
      expect(await party.rebuild()).toBe(true);
      await party.restart();
      // The name is free again for the definition of alice, which comes first now.
      await network.pass(20_000);
    }
    expect((await definitionsAt(alice)).map(([, state]) => state)).toContain('confirmed');
    expect(await poolsAt(alice)).toMatchObject([
      { id, ...unpublished },
      { networkName: 'shared', published: true },
    ]);
    await publishAs(network, 'mine');
  });
});

it.each(databaseKinds)('a rebuild of its party keeps a pool that was published later, on %s', async (database) => {
  const network = await start({ ...parties, database });
  const alice = network.party('alice');
  const head = network.ledger.head();
  const id = await shareLater(network);
  const [before] = await poolsAt(alice);
  for (let from = head; from <= network.ledger.head(); from += 1) {
    expect(await alice.rebuild({ from })).toBe(true);
    await alice.restart();
    await network.pass(12_000);
    const [after] = await poolsAt(alice);
    expect({ ...after, pin: before?.pin }).toEqual(before);
    expect(after?.pin).not.toBeNull();
    expect(await balancesAt(alice, id)).toEqual({ [`${alice.key}/`]: '5' });
  }
});

describe('a pool whose creation fails after a reorganisation', () => {
  it('is not defined, and does not block the definitions after it', async () => {
    const network = await start(parties);
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const head = network.ledger.head();
    const { id = '' } = await makePool(network, alice);
    network.expectFailures('alice');
    await reorganise(network, network.ledger.head() - head);
    network.ledger.revertCalls(1);
    await rebuildAll(network);
    const note = { name: 'note', version: '1', value: textOf({ type: 'string' }) };
    const datatype = await bob.pipeline().acceptDatatype('default', note);
    await network.settle();
    for (const party of network.parties) expect(await stateAt(party, datatype.message.header.id)).toBe('confirmed');
    expect(await definitionsAt(bob)).toMatchObject([[expect.any(String), 'rejected']]);
    expect(await poolsAt(bob)).toEqual([]);
    expect(await poolsAt(alice)).toMatchObject([{ id, state: 'creating', message: null, published: false }]);
    await alice.pipeline().deletePool('default', id);
    expect(await poolsAt(alice)).toEqual([]);
  });
});
