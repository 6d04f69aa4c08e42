import { describe, expect, it } from 'vitest';
import { networkLimits } from '../../../src/domain/network/limits.js';
import { countBlocked } from '../../../src/pipeline/state/messages/waiting.js';
import { textOf } from '../../../src/wire/json/json.js';
import { codeOfAsync } from '../../support/codes.js';
import { databaseKinds } from '../../support/database-kinds.js';
import { about, type Party, usePipelines } from '../../support/pipelines.js';
import { decided, expectEverywhere, rowsOf } from '../../support/pipelines-check.js';

const start = usePipelines();

async function batchSizes(party: Party): Promise<number[]> {
  return (await rowsOf(party.database(), 'batches')).map(({ manifest }) => manifest?.length ?? 0);
}

describe.each(databaseKinds)('a broadcast, on %s', (database) => {
  it('is confirmed at every node with one event each, and the same bytes', async () => {
    const network = await start({ database });
    const startMs = network.clock.monotonicMs();
    const message = await network.party('alice').broadcast(about(['orders'], { sku: 'A-1', price: 1.5 }));
    expect(message.state).toBe('ready');
    await network.settle();
    // Nothing waits for a timer. (With real files the clock may have been moved in the meantime.)
    if (database === 'memory') expect(network.clock.monotonicMs()).toBe(startMs);
    await expectEverywhere(network, [message.header.id]);
    for (const party of network.parties) {
      const [row] = await rowsOf(party.database(), 'messages');
      expect(row).toMatchObject({ id: message.header.id, hash: message.hash, state: 'confirmed' });
      const [data] = await rowsOf(party.database(), 'data');
      expect(data?.value).toBe('{"sku":"A-1","price":1.5}');
    }
  });

  it('of several senders at once has one order at every node', async () => {
    const network = await start({ database });
    const sent = await Promise.all(
      Array.from({ length: 30 }, (_, index) => {
        const party = network.party(['alice', 'bob', 'carol'][index % 3] ?? '');
        return party.broadcast(about(['orders', 'bills'].slice(index % 2), { index }));
      }),
    );
    await network.settle();
    const order = await decided(network.party('alice'));
    expect([...order].sort()).toEqual(sent.map(({ header }) => header.id).sort());
    await expectEverywhere(network, order);
  });

  it('is read while the store does not answer for many payloads of another party', async () => {
    const network = await start({ database });
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    network.store.silenceNew();
    for (let number = 1; number <= 20; number++) {
      const { header } = await alice.broadcast(about(['orders'], { number }));
      await expect.poll(() => decided(alice)).toContain(header.id);
    }
    network.store.silenceNew(false);
    const { header } = await bob.broadcast(about(['other'], 'read me'));
    await expect.poll(() => decided(carol)).toEqual([header.id]);
    network.store.answerAll();
    await network.pass(15_000);
    expect(await decided(carol)).toHaveLength(21);
  });

  it('waits for a missing payload only on its topics, shows it, and follows in chain order', async () => {
    const network = await start({ database });
    const [alice, bob, carol] = [network.party('alice'), network.party('bob'), network.party('carol')];
    network.store.withholdNew();
    const first = await alice.broadcast(about(['orders'], { number: 1 }));
    await network.settle();
    expect(await countBlocked(carol.database())).toBe(1);
    const [missing = ''] = network.store.contents.keys();
    network.store.withholdNew(false);
    const second = await bob.broadcast(about(['orders', 'bills'], { number: 2 }));
    const free = await bob.broadcast(about(['other'], { number: 3 }));
    await network.settle();
    // The node that sealed the batch needs no download; the others wait only in these topics.
    const atAlice = await decided(alice);
    expect(atAlice).toHaveLength(3);
    // A message without common topics may have any place among the others.
    expect(atAlice.filter((id) => id !== free.header.id)).toEqual([first, second].map(({ header }) => header.id));
    expect(await decided(bob)).toEqual([free.header.id]);
    expect(await decided(carol)).toEqual([free.header.id]);
    const [batch] = (await rowsOf(carol.database(), 'batches')).filter(({ state }) => state === 'wanted');
    const contexts = await rowsOf(carol.database(), 'pins');
    const [orders, bills] = contexts.filter(({ spent }) => !spent).map(({ context }) => context);
    const waits = (await rowsOf(carol.database(), 'waits')).map(({ context, on }) => ({ context, on }));
    expect(waits).toContainEqual({ context: orders, on: `batch:${batch?.id}/${batch?.hash}/${batch?.signer}` });
    expect(bills).toBeDefined();
    expect(await countBlocked(carol.database())).toBe(2);
    network.store.release(missing);
    await network.pass(15_000);
    expect(await decided(carol)).toEqual([free, first, second].map(({ header }) => header.id));
    expect(await rowsOf(carol.database(), 'waits')).toEqual([]);
    expect(await countBlocked(carol.database())).toBe(0);
  });

  it('reaches a late joiner from the first block, in the same order', async () => {
    const network = await start({ organizations: ['alice', 'bob'], database });
    for (let number = 0; number < 5; number++) {
      await network.party('alice').broadcast(about(['orders'], { from: 'alice', number }));
      await network.party('bob').broadcast(about(['orders', 'bills'], { from: 'bob', number }));
      if (number % 2 === 0) await network.settle();
    }
    await network.settle();
    const dave = await network.join('dave');
    await network.settle();
    const order = await decided(network.party('alice'));
    expect(order).toHaveLength(10);
    expect(await decided(dave)).toEqual(order);
    const answer = await dave.broadcast(about(['orders'], 'thank you'));
    await network.settle();
    await expectEverywhere(network, [...order, answer.header.id]);
  });

  it('of 450 messages at once goes out in batches of at most 200, in the order of acceptance', async () => {
    const network = await start({ organizations: ['alice', 'bob'], database });
    const sent: string[] = [];
    await Promise.all(
      Array.from({ length: 450 }, async (_, number) => {
        sent.push((await network.party('alice').broadcast(about(['orders'], { number }))).header.id);
      }),
    );
    await network.settle();
    const accepted = (await rowsOf(network.party('alice').database(), 'messages')).map(({ id }) => id);
    expect([...accepted].sort()).toEqual(sent.sort());
    await expectEverywhere(network, accepted);
    const sizes = await batchSizes(network.party('bob'));
    expect(Math.max(...sizes)).toBe(200);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(450);
    expect(sizes.length).toBeLessThanOrEqual(4);
  });

  it('uses up its idempotency key permanently, also across a restart', async () => {
    const network = await start({ organizations: ['alice', 'bob'], database });
    const alice = network.party('alice');
    const request = { ...about(['orders'], 'once'), idempotencyKey: 'order-17' };
    const first = await alice.broadcast(request);
    expect(await codeOfAsync(() => alice.broadcast(request))).toBe('FF10430');
    await alice.restart();
    expect(await codeOfAsync(() => alice.broadcast(request))).toBe('FF10430');
    await network.settle();
    expect(await codeOfAsync(() => alice.broadcast(request))).toBe('FF10430');
    await expectEverywhere(network, [first.header.id]);
  });

  it('of many messages with many small items is sent in batches that every node accepts', async () => {
    const network = await start({ organizations: ['alice', 'bob'], database });
    const alice = network.party('alice');
    network.stopChain();
    const sent: string[] = [];
    for (let number = 0; number < 40; number++) {
      const data = Array.from({ length: 256 }, (_, index) => ({ value: textOf(number * 256 + index) }));
      sent.push((await alice.broadcast({ header: { topics: ['orders'] }, data })).header.id);
      // The pin of the first is in flight, and all the others are collected.
      if (number === 0) await network.settle();
    }
    network.startChain();
    await network.pass(11_000);
    const lengths = [...network.store.contents.values()].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(networkLimits.maxPayloadBytes);
    await expectEverywhere(network, sent);
  });
});
