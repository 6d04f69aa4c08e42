import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createRegistry } from '../../../../src/pipeline/state/identities/registry.js';
import { createLanes } from '../../../../src/pipeline/operations/lanes.js';
import {
  blobLane,
  callLane,
  fetchBlobLane,
  fetchLane,
  fetchLargeLane,
  keyLane,
  memberLane,
  peerLane,
} from '../../../../src/pipeline/operations/operation.js';
import { register } from '../../../support/registry.js';
import { identityId, nodeDid } from '../../../../src/domain/network/identity.js';

it('adds lanes for new keys and nodes, and returns the same object while there are none', async () => {
  const database = createMemoryDatabase();
  const registry = createRegistry();
  const keys = ['0xa'];
  const lanes = createLanes({ database, registry, own: { keys } });
  const before = await lanes();
  expect(await lanes()).toBe(before);

  keys.push('0xb');
  const withKey = await lanes();
  const added = (after: object, earlier: object) => Object.keys(after).filter((name) => !(name in earlier));
  expect(added(withKey, before)).toEqual([keyLane('0xb'), callLane('0xb')]);
  expect(await lanes()).toBe(withKey);

  await register(database, ['bob']);
  registry.changed();
  const node = identityId(nodeDid('bob-node'));
  expect(added(await lanes(), withKey)).toEqual([
    peerLane(node),
    blobLane(node),
    ...[fetchLane, fetchLargeLane, fetchBlobLane].map((lane) => memberLane(lane, node)),
  ]);
});
