import { describe, expect, it } from 'vitest';
import { organizationDid } from '../../../src/domain/network/identity.js';
import { uuid } from '../../support/fixtures.js';
import { expectFlow, group, launch, members, startWithMallory, valid } from '../../support/hostile-group.js';
import { bring, envelopeOf, forgePrivate, groupOf, hashOf, unpinnedOf } from '../../support/mallory.js';
import { usePipelines } from '../../support/pipelines.js';
import { rowsOf } from '../../support/pipelines-check.js';

const startPipelines = usePipelines();
const start = () => startWithMallory(startPipelines);

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

  it('of a later version, or of a member whom the registry does not have yet, is to be sent again', async () => {
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

  it('that arrives a thousand times has one effect', async () => {
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

  it("that is sent by another node than its author's is refused", async () => {
    const { network, end, first } = await start();
    const heard = network.exchange.handed.find(({ to: { endpoint } }) => endpoint === 'https://mallory');
    expect(await bring(end, network, 'carol', heard?.envelope ?? '')).toMatchObject({ status: 'refused' });
    expect(await bring(end, network, 'bob', heard?.envelope ?? '')).toMatchObject({ status: 'refused' });
    await expectFlow(network, [first]);
  });

  it('is refused once its peer has as many waiting as allowed, while those of others are accepted', async () => {
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
