import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/domain/hash.js';
import { organizationDid } from '../../../src/domain/network/identity.js';
import { topicPin } from '../../../src/domain/messages/pin.js';
import { uuid } from '../../support/fixtures.js';
import { forge, mallory, pin, type Pinnable, registerMallory } from '../../support/mallory.js';
import { about, usePipelines } from '../../support/pipelines.js';
import { decided, expectEverywhere, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const { key } = mallory;

async function start() {
  const network = await startPipelines({ organizations: ['alice', 'bob'] });
  await registerMallory(network);
  return { network, alice: network.party('alice'), bob: network.party('bob') };
}

const sealed = forge({ topics: ['orders', 'bills'] });
const voids: Readonly<Record<string, Pinnable>> = {
  'contexts that are not those of its messages': { ...sealed, contexts: ['orders', 'free'].map(topicPin) },
  'fewer contexts than its messages have': { ...sealed, contexts: [topicPin('orders')] },
  'a foreign author': forge({ author: organizationDid('alice') }),
  'a payload that is not JSON': { ...sealed, payload: 'Dear all, ' },
  'a payload that is JSON and no batch': { ...sealed, payload: '{"version":1}' },
  'a message whose hash is another': { ...sealed, payload: sealed.payload.replace('new_order', 'old_order') },
  'a namespace that this node does not have': forge({ namespace: 'elsewhere' }),
  'another id than it was pinned with': { ...sealed, id: uuid(77) },
};

describe('a batch of a hostile member', () => {
  it('is confirmed like any other if it is valid', async () => {
    const { network, alice } = await start();
    await pin(network, forge());
    const answer = await alice.broadcast(about(['orders'], 'thank you'));
    await network.settle();
    await expectEverywhere(network, [uuid(1), answer.header.id]);
  });

  it.each(Object.keys(voids))('with %s is void everywhere, spent in each context, and blocks nothing', async (name) => {
    const { network, alice, bob } = await start();
    const forged = voids[name] ?? sealed;
    await pin(network, forged);
    const later = [
      await alice.broadcast(about(['orders', 'bills'], 1)),
      await bob.broadcast(about(['orders'], 2)),
      await bob.broadcast(about(['free'], 3)),
    ];
    await network.settle();
    for (const party of network.parties) {
      const batches = await rowsOf(party.database(), 'batches');
      expect(batches.filter(({ signer }) => signer === key).map(({ state }) => state)).toEqual(['void']);
      const pins = (await rowsOf(party.database(), 'pins')).filter(({ signer }) => signer === key);
      expect(pins.map(({ context, spent }) => ({ context, spent }))).toEqual(
        forged.contexts.map((context) => ({ context, spent: true })),
      );
      expect((await decided(party)).sort()).toEqual(later.map(({ header }) => header.id).sort());
    }
  });

  it('whose bytes have another hash is dropped, and looked for again until the right ones arrive', async () => {
    const { network, alice, bob } = await start();
    network.store.withholdNew();
    const first = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    const [reference = ''] = network.store.contents.keys();
    network.store.withholdNew(false);
    network.store.damage(reference);
    network.store.release(reference);
    const second = await alice.broadcast(about(['orders'], 2));
    await network.pass(60_000);
    expect(await decided(bob)).toEqual([]);
    const lookedFor = network.store.asked(reference);
    expect(lookedFor).toBeGreaterThan(4);
    network.store.repair(reference);
    await network.pass(20_000);
    await expectEverywhere(network, [first.header.id, second.header.id]);
    expect(network.store.asked(reference)).toBe(lookedFor + 1);
  });

  it('under a copied id, with another hash, has no effect on the real one', async () => {
    const { network, alice } = await start();
    // Alice has sealed a batch and cannot pin it, but its id is visible in the store.
    alice.dieAt('tx.after-raw-stored');
    const message = await alice.broadcast(about(['orders'], 'the real one'));
    await network.settle();
    const [real] = await rowsOf(alice.database(), 'batches');
    const copy = forge({ batchId: real?.id ?? '', topics: ['orders'] });
    await pin(network, copy);
    await network.settle();
    await alice.restart();
    await network.settle();
    await expectEverywhere(network, [uuid(1), message.header.id]);
    for (const party of network.parties) {
      const batches = (await rowsOf(party.database(), 'batches')).filter(({ id }) => id === real?.id);
      expect(batches.map(({ state }) => state)).toEqual(['held', 'held']);
    }
  });

  it('under a copied id and hash, by another signer, is void, and the real one is confirmed', async () => {
    const { network, alice } = await start();
    alice.dieAt('tx.after-raw-stored');
    const message = await alice.broadcast(about(['orders'], 'the real one'));
    await network.settle();
    const [real] = await rowsOf(alice.database(), 'batches');
    const [bytes] = network.store.contents.values();
    const copy = { id: real?.id ?? '', payload: new TextDecoder().decode(bytes), contexts: [topicPin('orders')] };
    await pin(network, copy);
    await network.settle();
    await alice.restart();
    await network.settle();
    await expectEverywhere(network, [message.header.id]);
    for (const party of network.parties) {
      const batches = (await rowsOf(party.database(), 'batches')).map(({ signer, state }) => ({ signer, state }));
      expect(batches).toContainEqual({ signer: key, state: 'void' });
      expect(batches).toContainEqual({ signer: alice.key, state: 'held' });
    }
  });

  it('pinned again has no effect, with the same contexts or with others', async () => {
    const { network, alice, bob } = await start();
    const forged = forge();
    await pin(network, forged);
    await network.settle();
    await pin(network, forged);
    await pin(network, { ...forged, contexts: ['orders', 'bills'].map(topicPin) });
    const message = await alice.broadcast(about(['orders', 'bills'], 1));
    await network.settle();
    await expectEverywhere(network, [uuid(1), message.header.id]);
    const pins = (await rowsOf(bob.database(), 'pins')).filter(({ signer }) => signer === key);
    expect(pins).toHaveLength(1);
  });

  it('with a message of an earlier batch decides it once', async () => {
    const { network } = await start();
    const first = forge();
    await pin(network, first);
    await pin(network, forge({ batchId: uuid(501) }));
    await pin(network, forge({ number: 2 }));
    await network.settle();
    await expectEverywhere(network, [uuid(1), uuid(2)]);
  });

  it('with a message of an earlier batch leaves it in the first that was pinned, whatever arrived first', async () => {
    const { network, alice } = await start();
    const [first, again] = [forge(), forge({ batchId: uuid(501) })];
    network.store.withhold(sha256(first.payload));
    await pin(network, first);
    await pin(network, again);
    await network.settle();
    network.store.release(sha256(first.payload));
    await network.pass(11_000);
    const dave = await network.join('dave');
    await network.settle();
    await expectEverywhere(network, [uuid(1)]);
    for (const party of [alice, dave]) {
      const [message] = await rowsOf(party.database(), 'messages');
      expect(message?.batch, party.name).toBe(first.id);
      expect(message?.batchHash, party.name).toBe(first.hash);
    }
  });

  it('that reuses the id of a message many times suppresses nothing', async () => {
    const { network, alice } = await start();
    // Not recorded as sent, since the checker expects every value to be sent once.
    const message = await alice.pipeline().acceptMessage('default', about(['orders'], 'mine'));
    await network.settle();
    const { id } = message.header;
    for (let number = 1; number <= 5; number++) {
      const copy = forge({ number: 600 + number, messageId: id, itemId: message.data[0]?.id ?? '' });
      await pin(network, copy);
    }
    await network.settle();
    // The id still refers to the item that had it first.
    const again = await alice.broadcast({ header: { topics: ['orders'] }, data: [{ id: message.data[0]?.id ?? '' }] });
    expect(again.data).toEqual(message.data);
    await network.settle();
    await expectEverywhere(network, [id, id, id, id, id, id, again.header.id]);
    const { eventLog } = alice.pipeline();
    const { events } = await eventLog.after(0);
    const mine = events.filter(({ namespace }) => namespace === 'default').map(({ sequence }) => sequence);
    const whole = await eventLog.load(mine, mine.length);
    const hashes = whole.flatMap(({ tail }) => {
      const { message } = JSON.parse(`{${tail}`) as { readonly message?: { readonly hash: string } };
      return message?.hash ?? [];
    });
    expect(new Set(hashes).size).toBe(7);
  });
});

describe('a pin', () => {
  it('of an unregistered key has no place', async () => {
    const { network, bob } = await start();
    const receipt = await pin(network, forge(), { signer: `0x${'e'.repeat(40)}` });
    expect(receipt.status).toBe('reverted');
    await network.settle();
    expect(await rowsOf(bob.database(), 'pins')).toEqual([]);
    await expectEverywhere(network, []);
  });

  it('without a payload reference that copies the hash of a topic blocks nothing', async () => {
    const { network, alice, bob } = await start();
    await pin(network, forge(), { payloadRef: '' });
    const message = await alice.broadcast(about(['orders'], 1));
    await network.settle();
    await expectEverywhere(network, [message.header.id]);
    const masked = (await rowsOf(bob.database(), 'pins')).filter((row) => row.masked);
    expect(masked.map(({ context, spent }) => ({ context, spent }))).toEqual([
      { context: topicPin('orders'), spent: false },
    ]);
  });

  it('with a payload that never appears blocks its topics, and no others, at every node', async () => {
    const { network, alice, bob } = await start();
    const forged = forge();
    const reference = sha256(forged.payload);
    network.store.withhold(reference);
    await pin(network, forged);
    const blocked = await alice.broadcast(about(['orders'], 1));
    const free = await bob.broadcast(about(['bills'], 2));
    await network.pass(120_000);
    await expectEverywhere(network, [free.header.id]);
    for (const party of network.parties) {
      network.expectWaiting(party.name, [blocked.header.id]);
      const waits = await rowsOf(party.database(), 'waits');
      const on = `batch:${forged.id}/${forged.hash}/${key}`;
      expect(waits.map((wait) => ({ context: wait.context, on: wait.on }))).toEqual([
        { context: topicPin('orders'), on },
      ]);
    }
  });

  it('of many payloads with wrong bytes is requested less and less often, and delays nobody', async () => {
    const { network, alice, bob } = await start();
    const references: string[] = [];
    for (let number = 1; number <= 12; number++) {
      const forged = forge({ number, topics: [`topic-${number}`] });
      network.store.damage(sha256(forged.payload));
      references.push(sha256(forged.payload));
      await pin(network, forged);
    }
    const asked = () => references.reduce((sum, reference) => sum + network.store.asked(reference), 0);
    await network.pass(600_000);
    const early = asked();
    await network.pass(1_200_000);
    // Two nodes, twelve payloads, at most every five minutes.
    expect(asked() - early).toBeLessThanOrEqual(2 * 12 * 4);
    const message = await alice.broadcast(about(['orders'], 1));
    await network.pass(1_000);
    expect(await decided(bob)).toEqual([message.header.id]);
    for (const party of network.parties) network.expectWaiting(party.name, []);
  });

  it.each(['is taken within ten minutes', 'is taken at once after a restart'])(
    'of payloads that came with other bytes for an hour and then right %s',
    async (when) => {
      const { network, bob } = await start();
      const references: string[] = [];
      for (let number = 1; number <= 12; number++) {
        const forged = forge({ number, topics: ['orders'] });
        network.store.damage(sha256(forged.payload));
        references.push(sha256(forged.payload));
        await pin(network, forged);
      }
      await network.pass(3_600_000);
      expect(await decided(bob)).toEqual([]);
      for (const reference of references) network.store.repair(reference);
      if (when.includes('restart')) {
        for (const party of network.parties) await party.restart();
        await network.settle();
      } else {
        await network.pass(601_000);
      }
      expect(await decided(bob)).toHaveLength(12);
    },
  );

  it('of many payloads that never appear does not keep a node from looking again for one that does', async () => {
    const { network, alice, bob } = await start();
    for (let number = 1; number <= 150; number++) {
      const forged = forge({ number, topics: [`topic-${number}`] });
      network.store.withhold(sha256(forged.payload));
      await pin(network, forged);
    }
    await network.settle();
    network.store.withholdNew();
    const message = await alice.broadcast(about(['orders'], 1));
    await network.pass(1_000);
    expect(await decided(bob)).toEqual([]);
    const [batch] = (await rowsOf(bob.database(), 'batches')).filter(({ signer }) => signer === alice.key);
    network.store.release(batch?.payloadRef ?? '');
    await network.pass(12_000);
    expect(await decided(bob)).toEqual([message.header.id]);
    for (const party of network.parties) network.expectWaiting(party.name, []);
  });
});
