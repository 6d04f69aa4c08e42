import { expect, it } from 'vitest';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { newSends } from '../../../../src/pipeline/operations/outbox.js';

const subject = { namespace: 'default', tx: 'tx', batch: '', batchHash: '', signer: '' };
const members = ['alice', 'bob', 'carol'].map((name) => ({ identity: `did:parley:org/${name}`, node: `${name}-node` }));

it('sends the envelope and each blob once to the node of each other member', () => {
  const blob = { hash: 'a'.repeat(64), size: 7 };
  const items = [{ blob }, { blob }, { blob: { hash: 'b'.repeat(64), size: 8 } }, {}];
  const message = { id: 'message', hash: 'c'.repeat(64) };
  const parcel = { members, group: 'group', node: 'alice-node', subject, message, items, created: 'now' };
  const sends = newSends(parcel, createSeededRandom(1));
  expect(sends.map(({ type, lane, blob: hash }) => [type, lane, hash?.slice(0, 1)])).toEqual([
    ['dataexchange_send_batch', 'peer:bob-node', undefined],
    ['dataexchange_send_blob', 'blobs:bob-node', 'a'],
    ['dataexchange_send_blob', 'blobs:bob-node', 'b'],
    ['dataexchange_send_batch', 'peer:carol-node', undefined],
    ['dataexchange_send_blob', 'blobs:carol-node', 'a'],
    ['dataexchange_send_blob', 'blobs:carol-node', 'b'],
  ]);
});
