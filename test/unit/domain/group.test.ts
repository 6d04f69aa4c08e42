import { expect, test } from 'vitest';
import { hashOfGroup, isMember, normalMembers } from '../../../src/domain/group.js';
import { identityId, nodeDid } from '../../../src/domain/network/identity.js';

const alice = { identity: 'did:parley:org/alice', node: identityId(nodeDid('alice')) };
const bob = { identity: 'did:parley:org/bob', node: identityId(nodeDid('bob')) };

test('the hash of a group covers namespace, name and members, in any listed order', () => {
  const hash = '26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f';
  expect(hashOfGroup('default', '', [alice, bob])).toBe(hash);
  expect(hashOfGroup('default', '', [bob, alice])).toBe(hash);
  expect(hashOfGroup('default', 'named', [alice, bob])).not.toBe(hash);
  expect(hashOfGroup('other', '', [alice, bob])).not.toBe(hash);
});

test('members are sorted by identity, then node, as bytes, without duplicates', () => {
  const [first, second] = [
    { identity: 'did:parley:a', node: '1' },
    { identity: 'did:parley:a', node: '2' },
  ];
  const accented = { identity: 'did:parley:é', node: '0' };
  expect(normalMembers([bob, accented, second, alice, first, { ...bob }])).toEqual([
    first,
    second,
    alice,
    bob,
    accented,
  ]);
});

test('a member takes part with one node', () => {
  expect(isMember([alice, bob], { ...alice })).toBe(true);
  expect(isMember([alice, bob], { ...alice, node: bob.node })).toBe(false);
});
