import { describe, expect, it } from 'vitest';
import { createMemoryLedger } from '../../../src/adapters/blockchain/memory/memory.js';
import { topicPin } from '../../../src/domain/messages/pin.js';
import type { Database } from '../../../src/ports/database.js';
import { ChainError } from '../../../src/ports/blockchain.js';
import { uuid } from '../../support/fixtures.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { about, type Party, usePipelines } from '../../support/pipelines.js';
import { decided, expectEverywhere, expectOneOrder, rowsOf } from '../../support/pipelines-check.js';

const start = usePipelines();
const sending = ['batch.after-seal', 'batch.after-store-add', 'tx.after-raw-stored', 'tx.after-receipt'];
const receiving = ['index.after-read', 'index.after-commit', 'confirm.mid-transaction', 'confirm.after-commit'];

async function everyRow(database: Database): Promise<unknown> {
  const tables = ['messages', 'batches', 'operations', 'pins', 'events', 'identities', 'cursors', 'due'] as const;
  return Promise.all(tables.map((table) => rowsOf(database, table)));
}

/**
 * Sends a few messages one after the other, each when the previous one has gone as far as it can. The party may die
 * before it has answered: a message that it has stored is sent nevertheless.
 */
async function sendFew(party: Party, settle: () => Promise<void>): Promise<string[]> {
  for (let number = 1; number <= 3 && party.isAlive(); number++) {
    const sending = party.broadcast(about(['orders'], { from: party.name, number }));
    await sending.catch((error: unknown) => {
      if (party.isAlive()) throw error;
    });
    await settle();
  }
  return (await rowsOf(party.database(), 'messages')).filter(({ type }) => type === 'broadcast').map(({ id }) => id);
}

describe.each(databaseKinds)('a sender on %s that dies', (database) => {
  it.each([...sending, ...receiving].flatMap((name) => [1, 2].map((hit) => [name, hit] as const)))(
    'at %s, time %i, continues after its restart without a loss or a duplicate',
    async (failpoint, hit) => {
      const network = await start({ organizations: ['alice', 'bob'], database });
      const alice = network.party('alice');
      alice.dieAt(failpoint, hit);
      const sent = await sendFew(alice, network.settle);
      expect(alice.isAlive()).toBe(false);
      await network.pass(1_000);
      await alice.restart();
      await network.settle();
      await expectEverywhere(network, sent);
      expect((await rowsOf(alice.database(), 'batches')).length).toBe(sent.length);
    },
  );

  it('before it has answered has stored the message, and sends it', async () => {
    const network = await start({ organizations: ['alice', 'bob'], database });
    const alice = network.party('alice');
    alice.dieAt('api.before-reply');
    const request = { ...about(['orders'], 'half said'), idempotencyKey: 'once' };
    await expect(alice.pipeline().acceptMessage('default', request)).rejects.toThrow('api.before-reply');
    await alice.restart();
    await network.settle();
    const [message] = await rowsOf(alice.database(), 'messages');
    await expect(alice.pipeline().acceptMessage('default', request)).rejects.toMatchObject({ code: 'FF10430' });
    await expectEverywhere(network, [message?.id ?? '']);
  });

  it("after the chain's answer was lost does not pin again", async () => {
    const network = await start({ organizations: ['alice', 'bob'], database });
    const alice = network.party('alice');
    network.ledger.loseReplies(1);
    const sent = await sendFew(alice, network.settle);
    await alice.restart();
    await network.settle();
    await expectEverywhere(network, sent);
    const pins = network.ledger.logs().filter(({ type }) => type === 'batch_pin');
    expect(pins).toHaveLength(sent.length);
  });
});

describe.each(databaseKinds)('a receiver on %s that dies', (database) => {
  it.each([...receiving, 'inbox.after-bytes'].flatMap((name) => [1, 2].map((hit) => [name, hit] as const)))(
    'at %s, time %i, goes on after its restart without a loss or a double',
    async (failpoint, hit) => {
      const network = await start({ organizations: ['alice', 'bob'], database });
      const [alice, bob] = [network.party('alice'), network.party('bob')];
      bob.dieAt(failpoint, hit);
      const sent = await sendFew(alice, network.settle);
      expect(bob.isAlive()).toBe(false);
      await bob.restart();
      await network.settle();
      await expectEverywhere(network, sent);
    },
  );
});

describe('a network', () => {
  it('examines everything that waits when it starts, in case it missed the end of a wait', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const bob = network.party('bob');
    const since = network.clock.now();
    const wait = { namespace: 'svc_system', context: topicPin('orders'), on: `context:${topicPin('bills')}`, since };
    await bob.database().transaction((unit) => unit.put('waits', [wait]));
    await bob.restart();
    await network.settle();
    expect(await rowsOf(bob.database(), 'waits')).toEqual([]);
  });

  it('gives messages with several topics one order, however their senders order the topics', async () => {
    const network = await start();
    const orders = [['a', 'b'], ['b', 'a'], ['b', 'c', 'a'], ['c', 'b'], ['a'], ['c', 'a']];
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        network.parties.flatMap((party) =>
          orders.map((topics) => party.broadcast(about(topics, [party.name, round, topics]))),
        ),
      );
      // Not settled in between, so that payloads and pins of the rounds mix.
      await network.clock.advance(1);
    }
    await network.settle();
    for (const party of network.parties) expect(await decided(party)).toHaveLength(90);
    // Messages that share no topic may be decided in any order (docs/protocol.md §8.5).
    await expectOneOrder(network, ['a', 'b', 'c']);
  });

  it('gives messages one order when their payloads arrive in any order', async () => {
    const network = await start();
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    network.store.withholdNew();
    for (const topics of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['a', 'b', 'c'],
    ]) {
      for (const party of [alice, bob]) {
        await party.broadcast(about(topics, [party.name, topics]));
        await network.settle();
      }
    }
    await network.settle();
    expect(await decided(carol)).toEqual([]);
    for (const reference of [...network.store.contents.keys()].reverse()) {
      network.store.release(reference);
      await network.pass(10_000);
    }
    expect(await decided(carol)).toHaveLength(8);
    await expectOneOrder(network, ['a', 'b', 'c']);
  });

  it('keeps accepted messages while the chain is away, and sends them together when it is back', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    network.stopChain();
    const first = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    const rest = [await alice.broadcast(about(['orders'], 2)), await alice.broadcast(about(['orders'], 3))];
    await network.pass(60_000);
    expect(alice.pipeline().away()).toMatchObject([{ lane: `key:${alice.key}` }]);
    expect(await decided(bob)).toEqual([]);
    network.startChain();
    await network.pass(11_000);
    await expectEverywhere(
      network,
      [first, ...rest].map(({ header }) => header.id),
    );
    expect((await rowsOf(bob.database(), 'batches')).map(({ manifest }) => manifest?.length)).toEqual([1, 2]);
    expect(alice.pipeline().away()).toEqual([]);
  });

  it('keeps accepted messages while the store is away, and fetches and sends them when it is back', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    bob.kill();
    const first = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    network.store.goAway();
    await bob.restart();
    const second = await alice.broadcast(about(['orders'], 2));
    await network.pass(60_000);
    expect(alice.pipeline().away()).toMatchObject([{ lane: 'store' }]);
    expect(bob.pipeline().away()).toMatchObject([{ lane: expect.stringMatching(/^fetch:/) as string }]);
    expect(await decided(bob)).toEqual([]);
    network.store.comeBack();
    await network.pass(11_000);
    await expectEverywhere(network, [first.header.id, second.header.id]);
  });

  it('keeps the messages of a node whose key is not registered yet, and sends them once it is', async () => {
    const network = await start({ organizations: ['alice', 'bob'], unregistered: ['bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const waiting = await bob.broadcast(about(['orders'], 'let me in'));
    const first = await alice.broadcast(about(['orders'], 'hello'));
    await network.pass(20_000);
    expect(await decided(bob)).toEqual([first.header.id]);
    expect(await rowsOf(bob.database(), 'batches')).toHaveLength(1);
    bob.register();
    await network.settle();
    await expectEverywhere(network, [first.header.id, waiting.header.id]);
  });
});

describe('a node that cannot continue', () => {
  it('stops at another chain with the same address, and stores nothing of it', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const bob = network.party('bob');
    const message = await network.party('alice').broadcast(about(['orders'], 1));
    await network.settle();
    const other = createMemoryLedger({ clock: network.clock, name: 'another' });
    other.addMember({ organization: 'eve', key: `0x${'e'.repeat(40)}`, node: 'eve', endpoint: '', publicKeyHash: 'e' });
    for (let number = 0; number < 5; number++) {
      other.addMember({
        organization: `eve-${number}`,
        key: `0x${String(number + 1).repeat(40)}`,
        node: `eve-${number}`,
        endpoint: '',
        publicKeyHash: `${number}`,
      });
    }
    const before = await everyRow(bob.database());
    await bob.restart(other);
    await network.pass(10_000);
    expect(bob.fatal).toEqual([expect.any(ChainError)]);
    expect(bob.fatal[0]).toMatchObject({ reason: 'other_chain' });
    expect(await everyRow(bob.database())).toEqual(before);
    network.expectFatal('bob');
    expect(await decided(bob)).toEqual([message.header.id]);
  });

  it('loses no unsent message when another chain was there for a time', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const alice = network.party('alice');
    network.stopChain();
    const message = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    network.startChain();
    await alice.restart(createMemoryLedger({ clock: network.clock, name: 'another' }));
    await network.pass(10_000);
    expect(alice.fatal).toMatchObject([{ reason: 'other_chain' }]);
    await alice.restart();
    alice.fatal.splice(0);
    await network.settle();
    await expectEverywhere(network, [message.header.id]);
  });

  it('stops when its key has pinned a batch that it has never sealed, and stores nothing of that page', async () => {
    const network = await start({ organizations: ['alice', 'bob'] });
    const [alice, bob] = [network.party('alice'), network.party('bob')];
    const before = await everyRow(alice.database());
    network.ledger.call(alice.key, {
      type: 'pin_batch',
      transactionId: uuid(1),
      batchId: uuid(2),
      batchHash: 'f'.repeat(64),
      payloadRef: 'f'.repeat(64),
      contexts: [topicPin('orders')],
    });
    await network.pass(10_000);
    expect(alice.fatal).toEqual([expect.any(ChainError)]);
    expect(await everyRow(alice.database())).toEqual(before);
    // For all others it is a batch like any other.
    expect(await rowsOf(bob.database(), 'batches')).toMatchObject([{ state: 'wanted', signer: alice.key }]);
    network.expectFatal('alice');
    network.expectWaiting('bob', []);
  });
});
