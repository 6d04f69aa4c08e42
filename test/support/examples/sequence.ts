import type { sequenceRoutes } from '../../../src/wire/routes/sequence.js';
import type { Examples, Scene } from './example.js';

const ofGroup = ({ privateMessage }: Scene) => ({ hash: privateMessage.header.group ?? '' });
const ofBatch = ({ batch }: Scene) => ({ batchid: batch.id });

export const sequenceExamples: Examples<typeof sequenceRoutes> = {
  listBatches: {
    call: ({ client, batch }) => client.listBatches({ query: { 'tx.id': batch.tx.id, 'tx.type': 'batch_pin' } }),
    shows: ({ batch: { id, hash } }) => [{ id, hash, type: 'broadcast' }],
  },
  getBatch: {
    call: (scene) => scene.client.getBatch({ path: ofBatch(scene) }),
    shows: ({ message }) => ({
      id: message.batch,
      manifest: { version: 1, messages: [{ id: message.header.id, topics: 1 }], data: message.data },
    }),
    parameters: ofBatch,
  },
  getBatchProgress: {
    call: (scene) => scene.client.getBatchProgress({ path: ofBatch(scene), query: { hash: scene.batch.hash } }),
    shows: ({ batch: { id, hash } }) => ({ id, hash, state: 'held', waits: [] }),
    parameters: ofBatch,
  },
  cancelBatch: {
    call: ({ client, failures }) => client.cancelBatch({ path: { batchid: failures.batch() } }),
    shows: () => ({}),
    parameters: ({ failures }) => ({ batchid: failures.batch() }),
  },
  listGroups: {
    call: ({ client }) => client.listGroups({ query: { limit: 1 } }),
    shows: ({ privateMessage }) => [{ hash: privateMessage.header.group }],
  },
  getGroup: {
    call: (scene) => scene.client.getGroup({ path: ofGroup(scene) }),
    shows: () => ({ members: [{ identity: 'did:parley:org/alice' }, { identity: 'did:parley:org/bob' }] }),
    parameters: ofGroup,
  },
  listPins: {
    call: ({ client, batch }) => client.listPins({ query: { batch: batch.id } }),
    shows: ({ batch, message }) => [
      { batch: batch.id, batchHash: batch.hash, hash: message.pins?.[0], masked: false, dispatched: true, index: 0 },
    ],
  },
  rewindPins: {
    call: ({ client, batch }) => client.rewindPins({ body: { batch: batch.id } }),
    shows: ({ batch }) => ({ batch: batch.id }),
    body: '{"sequence":0}',
  },
  listNextPins: {
    call: ({ client }) => client.listNextPins({ query: { identity: 'did:firefly:org/nobody' } }),
    shows: () => [],
  },
};
