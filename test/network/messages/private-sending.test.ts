import { describe, expect, it } from 'vitest';
import { groupContext } from '../../../src/domain/messages/pin.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { PrivateRequest } from '../../../src/wire/messages/message.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { about, type Party, type Pipelines, to, usePipelines } from '../../support/pipelines.js';
import { decided, expectOneOrder, rowsOf } from '../../support/pipelines-check.js';

const start = usePipelines();

/** Ids of the private messages decided at a party, in the order of their events. */
async function decidedPrivately(party: Party): Promise<string[]> {
  const groupOf = new Map((await rowsOf(party.database(), 'messages')).map(({ id, group }) => [id, group]));
  return (await decided(party)).filter((id) => typeof groupOf.get(id) === 'string');
}

function all(network: Pipelines): [Party, Party, Party] {
  return [network.party('alice'), network.party('bob'), network.party('carol')];
}

function unpinned(members: readonly string[], value: unknown): PrivateRequest {
  return { ...to(members, ['a'], value), header: { topics: ['a'], txtype: 'none' } };
}

/** Returns everything in a party's rows, as text. */
async function everythingOf({ database }: Party): Promise<string> {
  const tables = [
    'messages',
    'data',
    'groups',
    'batches',
    'payloads',
    'candidates',
    'claims',
    'nonces',
    'nextpins',
    'pins',
    'due',
    'waits',
    'operations',
    'transactions',
    'events',
  ] as const;
  return textOf(await Promise.all(tables.map((table) => rowsOf(database(), table))));
}

describe.each(databaseKinds)('a private message on %s', (database) => {
  it('is confirmed at every member, and no other party has a byte of it', async () => {
    const network = await start({ database });
    const [alice, bob, carol] = all(network);
    const { header } = await alice.send(to(['bob'], ['a-secret-topic'], 'the margin is 12 %'));
    await network.settle();
    for (const party of [alice, bob]) expect(await decidedPrivately(party)).toEqual([header.id]);
    const group = header.group ?? '';
    const carols = await everythingOf(carol);
    const stored = [...network.store.contents.values()].map((bytes) => Buffer.from(bytes).toString()).join();
    const chain = textOf(network.ledger.logs());
    for (const secret of ['margin', 'a-secret-topic', header.id, group, groupContext('a-secret-topic', group)]) {
      for (const place of [carols, stored, chain]) expect(place).not.toContain(secret);
    }
  });

  it('is decided in one order at all members, whoever sends', async () => {
    const network = await start({ database });
    const names = network.parties.map(({ name }) => name);
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        network.parties.flatMap((party) =>
          [['a'], ['a', 'b'], ['b']].map((topics) => party.send(to(names, topics, [party.name, round, topics]))),
        ),
      );
      await network.clock.advance(1);
    }
    await network.settle();
    for (const party of network.parties) expect(await decidedPrivately(party)).toHaveLength(45);
    // Messages that share no topic may be decided in any order (docs/protocol.md §8.5).
    await expectOneOrder(network, ['a', 'b']);
  });

  it('to one group waits for nothing that another group lacks', async () => {
    const network = await start({ database });
    const [alice, bob, carol] = all(network);
    bob.kill();
    const withBob = await alice.send(to(['bob'], ['a'], 1));
    const withCarol = await alice.send(to(['carol'], ['a'], 2));
    await network.settle();
    expect(await decidedPrivately(carol)).toEqual([withCarol.header.id]);
    await bob.restart();
    await network.pass(10_000);
    expect(await decidedPrivately(bob)).toEqual([withBob.header.id]);
    expect(await decidedPrivately(alice)).toEqual([withBob.header.id, withCarol.header.id]);
  });
});

const sending = [
  'batch.after-seal',
  'outbox.before-send',
  'outbox.after-ack',
  'tx.after-raw-stored',
  'tx.after-receipt',
];

describe.each(databaseKinds)('a sender of private messages on %s that dies', (database) => {
  it.each(sending.flatMap((name) => [1, 2].map((hit) => [name, hit] as const)))(
    'at %s, time %i, sends the same batch with the same nonces after its restart',
    async (failpoint, hit) => {
      const network = await start({ organizations: ['alice', 'bob'], database });
      const [alice, bob] = [network.party('alice'), network.party('bob')];
      alice.dieAt(failpoint, hit);
      const sent: string[] = [];
      for (let number = 1; number <= 3 && alice.isAlive(); number++) {
        sent.push((await alice.send(to(['bob'], ['a'], number))).header.id);
        await network.settle();
      }
      expect(alice.isAlive()).toBe(false);
      const payloads = async () => (await rowsOf(alice.database(), 'payloads')).map(({ text }) => text);
      await network.pass(1_000);
      await alice.restart();
      const sealed = await payloads();
      await network.settle();
      for (const party of [alice, bob]) expect(await decidedPrivately(party)).toEqual(sent);
      expect((await payloads()).slice(0, sealed.length)).toEqual(sealed);
      expect(await payloads()).toHaveLength(sent.length);
      expect(network.ledger.logs().filter(({ type }) => type === 'batch_pin')).toHaveLength(sent.length);
    },
  );
});

describe('the outbox', () => {
  it('delivers everything to a member that was away, and delays no others meanwhile', async () => {
    const network = await start();
    const [alice, bob, carol] = all(network);
    bob.kill();
    const sent: string[] = [];
    for (let number = 1; number <= 30; number++) {
      sent.push((await alice.send(to(['bob', 'carol'], ['a'], number))).header.id);
      if (number % 3 === 0) await network.settle();
    }
    await network.settle();
    for (const party of [alice, carol]) expect(await decidedPrivately(party)).toEqual(sent);
    const awayAt = () =>
      alice
        .pipeline()
        .away()
        .map(({ lane }) => lane.split(':')[0]);
    expect(awayAt()).toEqual(['peer']);
    await bob.restart();
    await network.pass(20_000);
    expect(await decidedPrivately(bob)).toEqual(sent);
    expect(awayAt()).toEqual([]);
  });

  it('retries a member at once when that member has sent something', async () => {
    const network = await start();
    const [alice, bob] = all(network);
    bob.kill();
    const { header } = await alice.send(to(['bob'], ['a'], 1));
    // Long enough for the delays to grow.
    await network.pass(20_000);
    await bob.restart();
    const before = network.clock.monotonicMs();
    await bob.send(unpinned(['alice'], 2));
    await network.settle();
    expect(await decidedPrivately(bob)).toContain(header.id);
    expect(network.clock.monotonicMs() - before).toBeLessThan(1_000);
  });
});

describe('a message without a batch', () => {
  it('is sent without the chain and the store, and leaves no trace on either', async () => {
    const network = await start();
    const [alice, bob, carol] = all(network);
    network.stopChain();
    network.store.goAway();
    const logs = network.ledger.logs().length;
    const { header, state } = await alice.send(unpinned(['bob'], 17));
    expect(state).toBe('confirmed');
    await network.settle();
    expect(await decidedPrivately(bob)).toEqual([header.id]);
    expect(await everythingOf(carol)).not.toContain(header.id);
    expect([network.ledger.logs().length, network.store.contents.size]).toEqual([logs, 0]);
    network.startChain();
    network.store.comeBack();
  });

  it('waits for no other message and blocks none', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    network.stopChain();
    const pinned = await alice.send(to(['bob'], ['a'], 'pinned'));
    const free = await alice.send(unpinned(['bob'], 'free'));
    await network.settle();
    expect(await decidedPrivately(bob)).toEqual([free.header.id]);
    network.startChain();
    await network.pass(10_000);
    expect(await decidedPrivately(bob)).toEqual([free.header.id, pinned.header.id]);
  });

  it.each(['outbox.before-send', 'outbox.after-ack'])('arrives once when its sender dies at %s', async (failpoint) => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    alice.dieAt(failpoint);
    const { header } = await alice.send(unpinned(['bob'], 17));
    await network.settle();
    expect(alice.isAlive()).toBe(false);
    await alice.restart();
    await network.settle();
    expect(await decidedPrivately(bob)).toEqual([header.id]);
  });
});

describe('a sender', () => {
  it('sends privately while the store is away', async () => {
    const network = await start();
    const [alice, bob] = all(network);
    network.store.goAway();
    const broadcast = await alice.broadcast(about(['a'], 'to all'));
    const sent = await alice.send(to(['bob'], ['a'], 'to bob'));
    await network.settle();
    expect(await decidedPrivately(bob)).toEqual([sent.header.id]);
    network.store.comeBack();
    await network.pass(10_000);
    expect(await decided(bob)).toEqual([sent.header.id, broadcast.header.id]);
  });

  it('sends as a custom identity, with separate nonces and a separate lane', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    network.ledger.addKey({ organization: 'alice', name: 'alice-desk', key: alice.spareKey });
    await network.settle();
    const sent: string[] = [];
    for (const author of ['alice', 'alice-desk', 'alice-desk', 'alice']) {
      const request = to(['bob', 'alice', 'alice-desk'], ['a'], [author, sent.length]);
      sent.push((await alice.send({ ...request, header: { topics: ['a'], author } })).header.id);
      await network.settle();
    }
    expect(await decidedPrivately(bob)).toEqual(sent);
    const rows = await rowsOf(bob.database(), 'messages');
    expect(rows.map(({ author, nonces }) => [author, nonces])).toEqual([
      ['did:parley:org/alice', [0]],
      ['did:parley:alice-desk', [0]],
      ['did:parley:alice-desk', [1]],
      ['did:parley:org/alice', [1]],
    ]);
  });

  it('keeps broadcasts and private messages of one topic in separate orders', async () => {
    const network = await start();
    const [alice, bob, carol] = all(network);
    const broadcast = await alice.broadcast(about(['a'], 1));
    await alice.send(to(['bob'], ['a'], 2));
    await bob.send(to(['alice'], ['a'], 3));
    await network.settle();
    expect(await decided(carol)).toEqual([broadcast.header.id]);
    for (const party of [alice, bob]) expect(await decidedPrivately(party)).toHaveLength(2);
  });
});

describe('a batch whose pin the chain has reverted', () => {
  async function aRevertedBatch() {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const first = await alice.send(to(['bob'], ['a'], 1));
    await network.settle();
    network.ledger.revertCalls(1);
    const failed = await alice.pipeline().acceptPrivate('default', to(['bob'], ['a'], 2));
    await network.settle();
    const later = await alice.send(to(['bob'], ['a'], 3));
    await network.settle();
    expect(await decidedPrivately(bob)).toEqual([first.header.id]);
    const [pin] = (await rowsOf(alice.database(), 'operations')).filter(({ status }) => status === 'Failed');
    const batch = await alice.database().first('batches', { namespace: 'default', state: 'sealed' });
    // Its failed pin stays.
    network.expectWaiting('alice', []);
    return { network, alice, bob, first, failed, later, pinId: pin?.id ?? '', batchId: batch?.id ?? '' };
  }

  it('lets later ones continue once it is cancelled, with the same nonces', async () => {
    const { network, alice, bob, first, failed, later, batchId } = await aRevertedBatch();
    await alice.pipeline().cancelBatch('default', batchId);
    await network.settle();
    for (const party of [alice, bob]) {
      expect(await decidedPrivately(party)).toEqual([first.header.id, later.header.id]);
    }
    expect((await rowsOf(bob.database(), 'messages')).map(({ nonces }) => nonces)).toEqual([[0], [1]]);
    const [cancelled] = (await rowsOf(alice.database(), 'messages')).filter(({ id }) => id === failed.header.id);
    expect(cancelled?.state).toBe('cancelled');
  });

  it('takes its place when its pin is retried', async () => {
    const { network, alice, bob, first, failed, later, pinId } = await aRevertedBatch();
    await alice.pipeline().retryOperation('default', pinId);
    await network.settle();
    for (const party of [alice, bob]) {
      expect(await decidedPrivately(party)).toEqual([first, failed, later].map(({ header }) => header.id));
    }
  });
});
