import { readFileSync } from 'node:fs';
import { Interface } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeEvent,
  decodeMemberName,
  decodeRevert,
  encodeCall,
  encodeMemberQuery,
  networkTopics,
  uuidsOf,
} from '../../../../src/adapters/blockchain/abi.js';
import { aPin } from '../../../compliance/blockchain/follower.js';

const artifact: { abi: [] } = JSON.parse(
  readFileSync(new URL('../../../../contracts/artifacts/Network.json', import.meta.url), 'utf8'),
);
const network = new Interface(artifact.abi);
const key = `0x${'a'.repeat(40)}`;
const member = `0x${'b'.repeat(40)}`;
const word = `0x${'7'.repeat(64)}`;

function logOf(event: string, values: readonly unknown[]): [string[], string] {
  const { topics, data } = network.encodeEventLog(event, values);
  return [topics, data];
}

test('the topics are the hashes of all events of the contract', () => {
  const hashes: string[] = [];
  network.forEachEvent(({ topicHash }) => hashes.push(topicHash));
  expect([...networkTopics].sort()).toEqual(hashes.sort());
});

test('a pin has the ids of the transaction and the batch in one word', () => {
  expect(uuidsOf('c0a7e1d4-5b62-4f3a-9c8d-7e6f5a4b3c21', '5e8d2f10-9a4b-4c3d-8e7f-6a5b4c3d2e10')).toBe(
    '0xc0a7e1d45b624f3a9c8d7e6f5a4b3c215e8d2f109a4b4c3d8e7f6a5b4c3d2e10',
  );
});

test('a pin is encoded as the contract decodes it', () => {
  const call = aPin();
  const [uuids, batchHash, payloadRef, contexts] = network.decodeFunctionData('pinBatch', encodeCall(call));
  expect(uuids).toBe(uuidsOf(call.transactionId, call.batchId));
  expect(batchHash).toBe(`0x${call.batchHash}`);
  expect(payloadRef).toBe(call.payloadRef);
  expect([...contexts]).toEqual(call.contexts.map((context) => `0x${context}`));
});

test.each(['', 'Qm', 'x'.repeat(31), 'x'.repeat(32), 'ü'.repeat(17), 'x'.repeat(256)])(
  'a pin with the reference "%s" is encoded as ethers does',
  (payloadRef) => {
    for (const count of [0, 1, 200]) {
      const call = { ...aPin(), payloadRef, contexts: Array.from({ length: count }, () => aPin().batchHash) };
      const { transactionId, batchId, batchHash, contexts } = call;
      const [id, ...hashes] = [batchHash, ...contexts].map((hash) => `0x${hash}`);
      const fields = [uuidsOf(transactionId, batchId), id, payloadRef, hashes];
      expect(encodeCall(call)).toBe(network.encodeFunctionData('pinBatch', fields));
    }
  },
);

test('changes of a member’s keys and node are encoded as the contract decodes them', () => {
  const added = network.decodeFunctionData('addKey', encodeCall({ type: 'add_key', name: 'shop', key }));
  expect([added[0], String(added[1]).toLowerCase()]).toEqual(['shop', key]);
  const below = encodeCall({ type: 'add_key', name: 'daughter', key, isOrganization: true });
  expect(String(network.decodeFunctionData('addOrganization', below)[0])).toBe('daughter');
  const call = { type: 'set_node', endpoint: 'https://ü:1', publicKeyHash: '7'.repeat(64) } as const;
  expect([...network.decodeFunctionData('setNode', encodeCall(call))]).toEqual(['https://ü:1', word]);
});

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));

test('any pin is decoded as it was encoded, any 16 bytes as a UUID', () => {
  fc.assert(
    fc.property(
      hash,
      hash,
      fc.string({ unit: 'grapheme' }),
      fc.array(hash),
      (uuids, batchHash, payloadRef, contexts) => {
        const hashes = contexts.map((context) => `0x${context}`);
        const pin = decodeEvent(...logOf('BatchPin', [key, `0x${uuids}`, `0x${batchHash}`, payloadRef, hashes]));
        expect(pin).toMatchObject({ type: 'batch_pin', signer: key, batchHash, contexts });
        if (pin?.type !== 'batch_pin') return;
        expect(pin.payloadRef).toBe(payloadRef.replaceAll('\0', '\uFFFD'));
        expect(uuidsOf(pin.transactionId, pin.batchId)).toBe(`0x${uuids}`);
        expect(pin.batchId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      },
    ),
  );
});

test('text that is not UTF-8 and U+0000 are replaced', () => {
  const [topics, data] = logOf('BatchPin', [key, word, word, 'abcd', [word]]);
  const pin = decodeEvent(topics, data.replace(Buffer.from('abcd').toString('hex'), 'ff61007a'));
  expect(pin).toMatchObject({ payloadRef: '\uFFFDa\uFFFDz' });
});

test('members, keys and nodes are read', () => {
  expect(decodeEvent(...logOf('MemberAdded', [key, 'alice', 'node1', 'https://ü', word]))).toEqual({
    type: 'member_added',
    organization: 'alice',
    key,
    node: 'node1',
    endpoint: 'https://ü',
    publicKeyHash: '7'.repeat(64),
  });
  expect(decodeEvent(...logOf('KeyAdded', [member, key, 'shop']))).toEqual({
    type: 'key_added',
    member,
    key,
    name: 'shop',
  });
  expect(decodeEvent(...logOf('OrganizationAdded', [member, key, 'daughter']))).toEqual({
    type: 'key_added',
    member,
    key,
    name: 'daughter',
    isOrganization: true,
  });
  expect(decodeEvent(...logOf('NodeChanged', [member, '', word]))).toEqual({
    type: 'node_changed',
    member,
    endpoint: '',
    publicKeyHash: '7'.repeat(64),
  });
});

test('the name of a member is found in the answer about its key', () => {
  expect(network.parseTransaction({ data: encodeMemberQuery(key) })?.name).toBe('memberWithKey');
  const answer = network.encodeFunctionResult('memberWithKey', [['alice', 'node1', 'https://x', word]]);
  expect(decodeMemberName(answer)).toBe('alice');
});

test('other events, and truncated or garbled logs, are ignored without an exception', () => {
  expect(decodeEvent(...logOf('NetworkCreated', [key, '{}']))).toEqual({ type: 'network_created', limits: '{}' });
  expect(decodeEvent([], '0x')).toBeUndefined();
  expect(decodeEvent(['__proto__'], '0x')).toBeUndefined();
  const [topics, data] = logOf('BatchPin', [key, word, word, 'ref', [word, word]]);
  fc.assert(
    fc.property(fc.nat(data.length), fc.nat(data.length), fc.constantFrom('f', '0', 'x', ''), (cut, at, digit) => {
      decodeEvent(topics, data.slice(0, cut));
      decodeEvent(topics.slice(0, 1), data);
      decodeEvent(topics, `${data.slice(0, at)}${digit}${data.slice(at + 1)}`);
    }),
  );
});

test('every error of the contract is decoded to its name', () => {
  expect(decodeRevert(network.encodeErrorResult('NotRegistered', [key]))).toBe(`NotRegistered(${key})`);
  expect(decodeRevert(network.encodeErrorResult('TooManyContexts', [2_001, 2_000]))).toBe(
    'TooManyContexts(2001, 2000)',
  );
  const textOfRequire = (text: string) => new Interface(['error Error(string)']).encodeErrorResult('Error', [text]);
  expect(decodeRevert(textOfRequire('why'))).toBe('why');
  expect(decodeRevert(textOfRequire(''))).toBeUndefined();
  network.forEachError((error) => {
    const values = error.inputs.map(({ type }) => ({ address: key, uint256: 7, string: 'x', bytes32: word })[type]);
    expect(decodeRevert(network.encodeErrorResult(error, values))).toMatch(new RegExp(`^${error.name}\\(`));
  });
});
