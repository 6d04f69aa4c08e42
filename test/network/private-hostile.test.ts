import { describe, expect, it } from 'vitest';
import type { SealedBatch } from '../../src/domain/batch.js';
import { organizationDid } from '../../src/domain/identity.js';
import { maskedPin, topicPin } from '../../src/domain/pin.js';
import type { DataExchange } from '../../src/ports/data-exchange.js';
import { uuid } from '../support/fixtures.js';
import {
  bring,
  envelopeOf,
  forgePrivate,
  groupOf,
  hashOf,
  mallory,
  pinPrivate,
  registerMallory,
  unpinnedOf,
} from '../support/mallory.js';
import { type Pipelines, to, usePipelines } from '../support/pipelines.js';
import { decided, rowsOf } from '../support/pipelines-check.js';

const startPipelines = usePipelines();
const group = groupOf(['alice', 'bob', 'mallory']);
const members = ['alice', 'bob', 'mallory'];
const parties = ['alice', 'bob'] as const;

async function start() {
  const network = await startPipelines({ organizations: ['alice', 'bob', 'carol'] });
  const end = await registerMallory(network);
  // The group becomes known, and its order has begun.
  const first = await network.party('alice').send(to(members, ['orders'], 'first'));
  await network.settle();
  return { network, end, first: first.header.id };
}

/** Brings a batch to both members, and pins it. */
async function launch(network: Pipelines, end: DataExchange, batch: SealedBatch, changes: object = {}): Promise<void> {
  for (const name of parties) await bring(end, network, name, envelopeOf(batch.payload, group));
  await pinPrivate(network, batch, changes);
  await network.settle();
}

/** Messages of alice and bob after what was done, which both must decide, in one order. */
async function expectFlow(network: Pipelines, before: readonly string[], topics = ['orders']): Promise<void> {
  const later = [
    await network.party('alice').send(to(members, topics, 'later a')),
    await network.party('bob').send(to(members, topics, 'later b')),
  ];
  await network.settle();
  const [order, same] = await Promise.all(parties.map((name) => decided(network.party(name))));
  expect(order).toEqual(same);
  expect(order?.slice(0, before.length)).toEqual(before);
  expect(order?.slice(before.length).sort()).toEqual(later.map(({ header }) => header.id).sort());
}

async function expectStates(network: Pipelines, states: readonly string[]): Promise<void> {
  for (const name of parties) {
    const batches = await rowsOf(network.party(name).database(), 'batches');
    expect(
      batches.filter(({ signer }) => signer === mallory.key).map(({ state }) => state),
      name,
    ).toEqual(states);
  }
}

const valid = forgePrivate({ group, nonces: [0] });

describe('a private batch of a member that is hostile', () => {
  it('is confirmed like any other as long as it is valid', async () => {
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

  it('with a nonce that it has used is void, and blocks nothing', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    await launch(network, end, forgePrivate({ group, number: 2, nonces: [0] }));
    await expectStates(network, ['held', 'void']);
    await expectFlow(network, [first, uuid(1)]);
  });

  it('that leaves a nonce out is void, and used up when its turn comes', async () => {
    const { network, end, first } = await start();
    await launch(network, end, forgePrivate({ group, number: 2, nonces: [1] }));
    await launch(network, end, forgePrivate({ group, number: 1, nonces: [0] }));
    await expectStates(network, ['void', 'held']);
    await launch(network, end, forgePrivate({ group, number: 3, nonces: [2] }));
    await expectFlow(network, [first, uuid(1), uuid(3)]);
  });

  it('with nonces that cross in two topics brings neither topic to a stand', async () => {
    const { network, end, first } = await start();
    const topics = ['orders', 'bills'];
    await launch(network, end, forgePrivate({ group, number: 1, topics, nonces: [0, 1] }));
    await launch(network, end, forgePrivate({ group, number: 2, topics, nonces: [1, 0] }));
    // The second follows in both topics on what the first has pinned, so it holds.
    await expectStates(network, ['void', 'held']);
    await expectFlow(network, [first, uuid(2)], topics);
    await launch(network, end, forgePrivate({ group, number: 3, topics, nonces: [2, 2] }));
    const [order] = await Promise.all(parties.map((name) => decided(network.party(name))));
    expect(order?.at(-1)).toBe(uuid(3));
  });

  it('with an id that was used for other content is a batch of its own', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    await launch(network, end, forgePrivate({ group, number: 2, batchId: valid.id, nonces: [1] }));
    await expectStates(network, ['held', 'held']);
    await expectFlow(network, [first, uuid(1), uuid(2)]);
  });

  it('that is pinned again and again is decided once', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    for (let i = 0; i < 5; i++) await pinPrivate(network, valid);
    await network.settle();
    await expectStates(network, ['held']);
    await expectFlow(network, [first, uuid(1)]);
  });

  it('that nobody ever gets holds up its own place alone until it comes', async () => {
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

  it('with the id and hash of a batch that another has pinned are a batch of nobody', async () => {
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

describe('an envelope', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const envelope = envelopeOf(valid.payload, group);
  const stranger = groupOf(['alice', 'bob']);
  const refusals: Readonly<Record<string, string>> = {
    'that is not JSON': envelope.slice(0, -1),
    'that is empty': '',
    'that is a list': '[]',
    'that is 200,000 deep': deep,
    'with a payload that is 200,000 deep': envelope.replace('"payload":{', `"payload":{"x":${deep},`),
    'with a repeated key': envelope.replace('"version":1,', '"version":1,"version":1,'),
    'with an unknown field': envelope.replace('"version":1,', '"version":1,"colour":"red",'),
    'that is larger than an envelope may be': envelope.replace('"version":1', `"version":1${' '.repeat(3_200_000)}`),
    'without a group': envelope.replace(/"group":\{.*?\]\},/, ''),
    'with a group without members': envelopeOf(valid.payload, { ...group, members: [] }),
    'with a group whose text was altered': envelopeOf(valid.payload, { ...group, name: 'another' }),
    'with a member more than its group has': envelopeOf(valid.payload, groupOf([...members, 'carol'])),
    'to a group of which its sender is no member': envelopeOf(
      forgePrivate({ group: stranger, nonces: [0] }).payload,
      stranger,
    ),
    'to a group of which its receiver is no member': envelopeOf(
      forgePrivate({ group: groupOf(['carol', 'mallory']), nonces: [0] }).payload,
      groupOf(['carol', 'mallory']),
    ),
    'with a payload of another author': envelopeOf(
      forgePrivate({ group, author: organizationDid('bob'), nonces: [0] }).payload,
      group,
    ),
    'with a member whose node is another’s': envelopeOf(valid.payload, {
      ...group,
      members: group.members.map((member, i) =>
        i === 2 ? { ...member, node: groupOf(['bob']).members[0]!.node } : member,
      ),
    }),
    'with a message of another author': unpinnedOf(group, {}, { author: organizationDid('bob') }),
    'with a message from another node': unpinnedOf(group, { node: groupOf(['bob']).members[0]!.node }),
    'with a message signed by another key': unpinnedOf(group, {}, { key: `0x${'1'.padStart(40, '0')}` }),
    'with a message whose hash is another': unpinnedOf(group).replace('new_order', 'old_order'),
    'with a message whose data is another': unpinnedOf(group).replace('"from":"mallory"', '"from":"alice"'),
    'with a message to a namespace that is not here': unpinnedOf(
      { ...group, namespace: 'elsewhere' },
      {},
      { namespace: 'elsewhere' },
    ),
    'with a message to a group of another namespace': unpinnedOf(group, {}, { namespace: 'svc_system' }),
    'with a message without its data': unpinnedOf(group, { data: [] }),
  };

  it.each(Object.keys(refusals))('%s is refused, and nothing of it is kept', async (name) => {
    const { network, end, first } = await start();
    expect(await bring(end, network, 'alice', refusals[name] ?? '')).toMatchObject({ status: 'refused' });
    await network.settle();
    for (const table of ['candidates', 'claims'] as const) {
      expect(await rowsOf(network.party('alice').database(), table), table).toEqual([]);
    }
    await expectFlow(network, [first]);
  });

  it('of a later version, or of a member whom the registry does not name yet, is to come again', async () => {
    const { network, end } = await start();
    const later = [
      envelope.replace('"version":1', '"version":2'),
      envelopeOf(valid.payload.replace('"version":1', '"version":2'), group),
      envelopeOf(valid.payload, groupOf([...members, 'nobody'])),
    ];
    for (const each of later) {
      expect(await bring(end, network, 'alice', each)).toMatchObject({ status: 'later' });
    }
  });

  it('that comes a thousand times has one effect', async () => {
    const { network, end, first } = await start();
    await launch(network, end, valid);
    const unpinned = unpinnedOf(group, {}, { id: uuid(9) });
    for (let i = 0; i < 1_000; i++) {
      expect(await bring(end, network, 'alice', i % 2 === 0 ? envelope : unpinned)).toEqual({ status: 'stored' });
    }
    await bring(end, network, 'bob', unpinned);
    await network.settle();
    await expectFlow(network, [first, uuid(1), uuid(9)]);
  });

  it('that is brought by another than its author is refused', async () => {
    const { network, end, first } = await start();
    const heard = network.exchange.handed.find(({ to: { endpoint } }) => endpoint === 'https://mallory');
    expect(await bring(end, network, 'carol', heard?.envelope ?? '')).toMatchObject({ status: 'refused' });
    expect(await bring(end, network, 'bob', heard?.envelope ?? '')).toMatchObject({ status: 'refused' });
    await expectFlow(network, [first]);
  });

  it('finds no room once its peer has brought as many as may wait, and those of others do', async () => {
    const { network, end, first } = await start();
    const alice = network.party('alice');
    const [peer = ''] = groupOf(['mallory']).members.map(({ node }) => node);
    await alice.database().transaction(async (unit) => {
      await unit.insert(
        'candidates',
        Array.from({ length: 1_000 }, (_, i) => ({
          namespace: 'svc_system',
          hash: i.toString(16).padStart(64, '0'),
          peer,
          batch: uuid(i),
          group: hashOf(group),
          groupName: '',
          groupNamespace: 'default',
          members: group.members,
          sizeBytes: 100,
          created: '2026-01-15T10:00:00.000Z',
        })),
      );
    });
    expect(await bring(end, network, 'alice', envelope)).toMatchObject({ status: 'later' });
    await expectFlow(network, [first]);
  });
});
