import { describe, expect, it } from 'vitest';
import type { SealedBatch } from '../../../src/domain/messages/batch.js';
import { organizationDid } from '../../../src/domain/network/identity.js';
import { maskedPin, topicPin } from '../../../src/domain/messages/pin.js';
import type { PeerAnswer } from '../../../src/ports/data-exchange.js';
import { uuid } from '../../support/fixtures.js';
import {
  expectFlow,
  expectStates,
  group,
  launch,
  members,
  parties,
  startWithMallory,
  valid,
} from '../../support/hostile-group.js';
import { bring, envelopeOf, forgePrivate, hashOf, mallory, pinPrivate } from '../../support/mallory.js';
import { to, usePipelines } from '../../support/pipelines.js';
import { decided, rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const start = () => startWithMallory(startPipelines);

describe('a private batch of a hostile member', () => {
  it('is confirmed like any other if it is valid', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    await expectFlow(network, [first, uuid(1)]);
  });

  const voids: Readonly<Record<string, { batch: SealedBatch; contexts?: readonly string[] }>> = {
    'contexts that are not those of its messages': {
      batch: forgePrivate({ group, topics: ['orders', 'bills'], nonces: [0, 0] }),
      contexts: [maskedPin('orders', hashOf(group), mallory.did, 0)],
    },
    'contexts in clear': { batch: valid, contexts: [topicPin('orders')] },
    'no nonces': { batch: forgePrivate({ group, nonces: [] }), contexts: valid.contexts },
    'a nonce beyond the first': {
      batch: forgePrivate({ group, nonces: [1] }),
      contexts: valid.contexts,
    },
    'a message whose hash is another': {
      batch: { ...valid, payload: valid.payload.replace('new_order', 'old_order') },
    },
    'a field that is unknown': { batch: { ...valid, payload: valid.payload.replace('"id":', '"colour":"red","id":') } },
    'no messages': { batch: { ...valid, payload: valid.payload.replace(/"messages":.*/, '"messages":[],"data":[]}') } },
    'data that nobody refers to': {
      batch: {
        ...valid,
        payload: valid.payload.replace(
          '"data":[{"id":"00000000-0000-4000-8000-000000000bb9","hash"',
          '"data":[{"id":"00000000-0000-4000-8000-000000000bb8","hash"',
        ),
      },
    },
    'another type than its pin': {
      batch: { ...valid, payload: valid.payload.replace('"type":"private"', '"type":"broadcast"') },
    },
    'another batch id than its pin': { batch: { ...valid, id: uuid(77) } },
  };

  it.each(Object.keys(voids))('with %s is void for all, and its place is used up', async (name) => {
    const { network, end, first } = await start();
    const { batch, contexts = batch.contexts } = voids[name] ?? { batch: valid };
    await launch(network, end, { ...batch, contexts: [...contexts] });
    await expectStates(network, ['void']);
    await expectFlow(network, [first]);
    const next = forgePrivate({ group, number: 2, nonces: [1] });
    const isUsedUp = contexts.includes(valid.contexts[0] ?? '');
    await launch(network, end, next);
    await expectStates(network, ['void', isUsedUp ? 'held' : 'void']);
    for (const each of parties) {
      expect((await decided(network.party(each))).includes(uuid(2)), each).toBe(isUsedUp);
    }
  });

  it('with a used nonce is void, and blocks nothing', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    await launch(network, end, forgePrivate({ group, number: 2, nonces: [0] }));
    await expectStates(network, ['held', 'void']);
    await expectFlow(network, [first, uuid(1)]);
  });

  it('that skips a nonce is void, and is spent when its turn comes', async () => {
    const { network, end, first } = await start();
    await launch(network, end, forgePrivate({ group, number: 2, nonces: [1] }));
    await launch(network, end, forgePrivate({ group, number: 1, nonces: [0] }));
    await expectStates(network, ['void', 'held']);
    await launch(network, end, forgePrivate({ group, number: 3, nonces: [2] }));
    await expectFlow(network, [first, uuid(1), uuid(3)]);
  });

  it('with the nonce after a batch that is void for its turn is void too, however many follow it', async () => {
    const { network, end, first } = await start();
    await launch(network, end, forgePrivate({ group, number: 1, nonces: [2] }));
    await launch(network, end, forgePrivate({ group, number: 2, nonces: [3] }));
    // If held, it would wait in one topic for nonces that need never come, and block the other for all.
    await launch(network, end, forgePrivate({ group, number: 3, topics: ['orders', 'bills'], nonces: [4, 0] }));
    await expectStates(network, ['void', 'void', 'void']);
    await expectFlow(network, [first], ['orders', 'bills']);
  });

  it('with nonces that follow many void ones is held, once all of them were pinned', async () => {
    const { network, end, first } = await start();
    const skipped = [4, 3, 2, 1, 0].map((nonce) => forgePrivate({ group, number: 10 + nonce, nonces: [nonce] }));
    for (const batch of skipped) await launch(network, end, batch);
    await launch(network, end, forgePrivate({ group, number: 5, topics: ['orders', 'bills'], nonces: [5, 0] }));
    await expectStates(network, ['void', 'void', 'void', 'void', 'held', 'held']);
    await expectFlow(network, [first, uuid(10), uuid(5)], ['orders', 'bills']);
  });

  it('with nonces that cross in two topics blocks neither topic', async () => {
    const { network, end, first } = await start();
    const topics = ['orders', 'bills'];
    await launch(network, end, forgePrivate({ group, number: 1, topics, nonces: [0, 1] }));
    await launch(network, end, forgePrivate({ group, number: 2, topics, nonces: [1, 0] }));
    // The second follows in both topics what the first has pinned, so it is held.
    await expectStates(network, ['void', 'held']);
    await expectFlow(network, [first, uuid(2)], topics);
    await launch(network, end, forgePrivate({ group, number: 3, topics, nonces: [2, 2] }));
    const [order] = await Promise.all(parties.map((name) => decided(network.party(name))));
    expect(order?.at(-1)).toBe(uuid(3));
  });

  it('with an id that was used for other content is a separate batch', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    await launch(network, end, forgePrivate({ group, number: 2, batchId: valid.id, nonces: [1] }));
    await expectStates(network, ['held', 'held']);
    await expectFlow(network, [first, uuid(1), uuid(2)]);
  });

  it('that is pinned repeatedly is decided once', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    for (let i = 0; i < 5; i++) await pinPrivate(network, valid);
    await network.settle();
    await expectStates(network, ['held']);
    await expectFlow(network, [first, uuid(1)]);
  });

  it('that is pinned under very many ids is judged for some of them at each envelope, and for no more', async () => {
    const { network, end, first } = await start();
    await pinPrivate(network, valid);
    for (let i = 0; i < 150; i++) await pinPrivate(network, valid, { batchId: uuid(500 + i) });
    await network.settle();
    const bringAll = (): Promise<PeerAnswer[]> =>
      Promise.all(parties.map((name) => bring(end, network, name, envelopeOf(valid.payload, group))));
    expect((await bringAll()).map(({ status }) => status)).toEqual(['later', 'later']);
    await expectStates(network, ['held', ...Array<string>(99).fill('void'), ...Array<string>(51).fill('wanted')]);
    for (let i = 0; i < 2; i++) expect((await bringAll()).map(({ status }) => status)).toEqual(['stored', 'stored']);
    await network.settle();
    await expectStates(network, ['held', ...Array<string>(150).fill('void')]);
    await expectFlow(network, [first, uuid(1)]);
  });

  it('that no member receives blocks only its own place until it arrives', async () => {
    const { network, end, first } = await start();
    await pinPrivate(network, valid);
    await network.settle();
    const waiting = await network.party('alice').send(to(members, ['orders'], 'after it'));
    const free = await network.party('alice').send(to(members, ['free'], 'beside it'));
    await network.settle();
    for (const name of parties) expect(await decided(network.party(name))).toEqual([first, free.header.id]);
    for (const name of parties) await bring(end, network, name, envelopeOf(valid.payload, group));
    await network.settle();
    for (const name of parties) {
      expect(await decided(network.party(name))).toEqual([first, free.header.id, uuid(1), waiting.header.id]);
    }
  });
});

describe('pins that a hostile member copies', () => {
  it('from a member do not take its place, however many and however early', async () => {
    const { network, first } = await start();
    const next = Array.from({ length: 50 }, (_, nonce) =>
      maskedPin('orders', hashOf(group), organizationDid('alice'), nonce),
    );
    for (let i = 0; i < 30; i++) await pinPrivate(network, { ...valid, id: uuid(500 + i), contexts: next });
    await network.settle();
    await expectFlow(network, [first]);
  });

  it("with the id and hash of another's pinned batch belong to no batch", async () => {
    const { network, first } = await start();
    const message = await network.party('alice').send(to(members, ['orders'], 'mine'));
    const batch = async () => (await rowsOf(network.party('alice').database(), 'batches')).at(-1);
    await network.settle();
    const mine = await batch();
    const contexts = message.pins ?? [maskedPin('orders', hashOf(group), organizationDid('alice'), 1)];
    await pinPrivate(
      network,
      { ...valid, contexts: [...contexts] },
      { batchId: mine?.id ?? '', batchHash: mine?.hash ?? '' },
    );
    await network.settle();
    await expectFlow(network, [first, message.header.id]);
  });
});
