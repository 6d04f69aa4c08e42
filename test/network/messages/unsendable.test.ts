import { expect, it } from 'vitest';
import { hashOfItem } from '../../../src/domain/hash.js';
import { every } from '../../../src/ports/tables/where.js';
import { textOf } from '../../../src/wire/json/json.js';
import type { PayloadData } from '../../../src/wire/messages/batch.js';
import { aMessage, uuid } from '../../support/fixtures.js';
import { bring, groupOf, hashOf, mallory, registerMallory, unpinnedOf } from '../../support/mallory.js';
import { bytesOf, inChunks, partiesOf, sha256, stateAt } from '../../support/party-blobs.js';
import { type Party, type Pipelines, usePipelines } from '../../support/pipelines.js';

const open = usePipelines();

/** Sends alice's message of one item to Mallory, whose node refuses it; the item is deleted then. */
async function refusedWithoutData(network: Pipelines, alice: Party): Promise<string> {
  network.expectFailures('alice');
  await registerMallory(network, { status: 'refused', reason: 'this node has no namespace default' });
  const header = { txtype: 'none' } as const;
  const group = { members: [{ identity: 'mallory' }] };
  const sent = await alice.pipeline().acceptPrivate('default', { header, group, data: [{ value: textOf('x') }] });
  await network.settle();
  await alice.pipeline().removeData('default', sent.data[0]?.id ?? '');
  return (await sendsOf(alice))[0]?.id ?? '';
}

function sendsOf(party: Party) {
  const where = { namespace: every, type: 'dataexchange_send_batch' } as const;
  return party.database().rows('operations', where, { limit: 10 });
}

it('refuses to send a message again whose data was deleted', async () => {
  const network = await open();
  const { alice } = partiesOf(network);
  const failed = await refusedWithoutData(network, alice);
  await expect(alice.pipeline().retryOperation('default', failed)).rejects.toMatchObject({
    code: 'PY1301',
    message: expect.stringContaining('data of its message was deleted') as string,
  });
});

it('fails to send a message whose data was deleted, as an earlier version has stored it', async () => {
  const network = await open();
  const { alice } = partiesOf(network);
  await refusedWithoutData(network, alice);
  const [failed] = await sendsOf(alice);
  if (failed === undefined) throw new Error('nothing was sent');
  const { sequence: _, ...row } = failed;
  const again = { ...row, id: uuid(9), status: 'Initialized', error: null } as const;
  await alice.database().transaction((unit) => unit.insert('operations', [again]));
  await alice.restart();
  await network.settle();
  expect(alice.fatal).toEqual([]);
  const ended = { id: uuid(9), status: 'Failed', error: 'Data of its message was deleted.' };
  expect(await sendsOf(alice)).toContainEqual(expect.objectContaining(ended));
});

it('refuses a message that fits in no payload, because an item of another member has a very long label', async () => {
  const network = await open();
  const { bob } = partiesOf(network);
  const bytes = bytesOf(1_000);
  const blob = { hash: sha256(bytes), size: bytes.length, name: 'n'.repeat(2_300_000) };
  const labelled = { value: textOf('f'), blob };
  const created = '2026-01-15T10:00:00.000Z';
  const item: PayloadData = { id: uuid(3001), validator: 'json', hash: hashOfItem(labelled), created, ...labelled };
  const end = await registerMallory(network);
  const group = groupOf(['mallory', 'bob']);
  const labels = { topics: ['orders'], group: hashOf(group) };
  const sealed = aMessage(
    { id: uuid(1), type: 'private', txtype: 'none', author: mallory.did, key: mallory.key, ...labels },
    [item],
  );
  const message = { header: sealed.header, hash: sealed.hash, data: [...sealed.data] };
  expect(await bring(end, network, 'bob', unpinnedOf(group, { message, data: [item] }))).toMatchObject({
    status: 'stored',
  });
  const peer = { endpoint: 'https://bob', publicKeyHash: '2'.padStart(64, '0') };
  await end.sendBlob(peer, { hash: blob.hash, sizeBytes: bytes.length, source: sealed.hash }, () => inChunks(bytes));
  await network.settle();
  expect(await stateAt(bob, uuid(1))).toBe('confirmed');

  const sent = { data: [{ id: item.id }], group: { members: [{ identity: 'alice' }] } };
  await expect(bob.pipeline().acceptPrivate('default', sent)).rejects.toMatchObject({ code: 'FF10328' });
  await expect(bob.pipeline().acceptMessage('default', { data: sent.data })).rejects.toMatchObject({ code: 'FF10327' });
});
