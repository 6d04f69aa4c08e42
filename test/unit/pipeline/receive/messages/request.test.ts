import { expect, test } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { createBus } from '../../../../../src/pipeline/bus.js';
import { createRequestReceiver } from '../../../../../src/pipeline/receive/messages/request.js';
import type { NewRow } from '../../../../../src/ports/tables/tables.js';
import { every } from '../../../../../src/ports/tables/where.js';
import { aBatch, anOperation } from '../../../../compliance/database/rows.js';
import { alice } from '../../../../support/fixtures.js';

const [bobKey, malloryKey] = ['b', 'm'];

function aNode(id: string, publicKeyHash: string): NewRow<'identities'> {
  const place = { parent: `did:parley:org/${id}`, created: '', updated: null, block: 1 };
  return { namespace: systemNamespace, id, did: id, type: 'node', name: id, endpoint: '', publicKeyHash, ...place };
}

/** Creates a node that has sent a private batch to bob and carol, and to bob two files, of which one was deleted. */
async function aSender(signer: string = alice.key) {
  const database = createMemoryDatabase();
  const name = { batch: 'batch', batchHash: 'hash', signer };
  await database.transaction(async (unit) => {
    await unit.insert('identities', [aNode('bob', bobKey), aNode('mallory', malloryKey)]);
    await unit.insert('batches', [aBatch({ id: 'batch', hash: 'hash', signer, type: 'private', state: 'held' })]);
    await unit.insert('blobs', [{ namespace: systemNamespace, hash: 'file', sizeBytes: 1, created: '' }]);
    await unit.insert('operations', [
      anOperation({ ...name, id: 'to bob', type: 'dataexchange_send_batch', lane: 'peer:bob', status: 'Succeeded' }),
      anOperation({
        ...name,
        id: 'to carol',
        type: 'dataexchange_send_batch',
        lane: 'peer:carol',
        status: 'Succeeded',
      }),
      ...['file', 'deleted file'].map((blob) =>
        anOperation({
          ...name,
          id: blob,
          blob,
          type: 'dataexchange_send_blob',
          lane: 'blobs:bob',
          status: 'Succeeded',
        }),
      ),
    ]);
  });
  const contacts: string[] = [];
  const [own, log] = [{ keys: [alice.key] }, createSilentLog()];
  const receive = createRequestReceiver({
    database,
    own,
    bus: createBus(),
    log,
    onPeer: (node) => contacts.push(node),
  });
  const open = async () =>
    (await database.rows('operations', { namespace: every, status: 'Initialized' }, { limit: 9 })).map(({ id }) => id);
  return { receive, open, contacts };
}

test('sends a batch and its remaining files again, only to the member that requests it', async () => {
  const { receive, open, contacts } = await aSender();
  expect(await receive(bobKey, 'hash')).toEqual({ status: 'stored' });
  expect(await open()).toEqual(['to bob', 'file']);
  expect(contacts).toEqual(['bob']);
  expect(await receive(bobKey, 'hash')).toMatchObject({ status: 'later' });
  expect(await open()).toEqual(['to bob', 'file']);
});

test.each([
  ['that is no member of its group', malloryKey, 'hash', alice.key, 'refused'],
  ['that the registry does not have', 'unknown', 'hash', alice.key, 'later'],
  ['for an unknown batch', bobKey, 'another', alice.key, 'refused'],
  ['for a batch of another node', bobKey, 'hash', '0xother', 'refused'],
])('sends nothing at the request of a peer %s', async (_, key, hash, signer, status) => {
  const { receive, open } = await aSender(signer);
  expect(await receive(key, hash)).toMatchObject({ status });
  expect(await open()).toEqual([]);
});
