import { expect, test } from 'vitest';
import { hashOfGroup } from '../../../src/domain/group.js';
import { identityId, nodeDid } from '../../../src/domain/identity.js';

const alice = { identity: 'did:parley:org/alice', node: identityId(nodeDid('alice')) };
const bob = { identity: 'did:parley:org/bob', node: identityId(nodeDid('bob')) };

test('the hash of a group covers namespace, name and members, in whatever order they are listed', () => {
  const hash = '26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f';
  expect(hashOfGroup('default', '', [alice, bob])).toBe(hash);
  expect(hashOfGroup('default', '', [bob, alice])).toBe(hash);
  expect(hashOfGroup('default', 'named', [alice, bob])).not.toBe(hash);
  expect(hashOfGroup('other', '', [alice, bob])).not.toBe(hash);
});
