import { describe, expect, test } from 'vitest';
import { sealBatch } from '../../../../src/domain/messages/batch.js';
import { messageOverheadBytes, networkLimits } from '../../../../src/domain/network/limits.js';
import { maskedPin, topicPin } from '../../../../src/domain/messages/pin.js';
import { hashOfGroup } from '../../../../src/domain/group.js';
import { hashOfItem } from '../../../../src/domain/hash.js';
import { sealMessage } from '../../../../src/domain/messages/message.js';
import {
  examinePayload,
  faultOfNonces,
  noncesBefore,
  type PinnedFacts,
  pinsToCompare,
  readPayload,
  verifyPayload,
  type VerifiedGroup,
} from '../../../../src/domain/messages/verify.js';
import { aContent, alice, aMessage, anItem, factsOf, uuid } from '../../../support/fixtures.js';

const { payload } = sealBatch(aContent());
const verifyBatch = (text: string, facts: PinnedFacts) => verifyPayload(examinePayload(text), facts);

describe('verify', () => {
  test('an honest batch is valid', () => {
    expect(verifyBatch(payload, factsOf(aContent()))).toMatchObject({ status: 'valid' });
  });

  const facts = factsOf(aContent());
  const lies: [string, PinnedFacts][] = [
    ['another batch id', { ...facts, id: uuid(1) }],
    ['another transaction id', { ...facts, transactionId: uuid(1) }],
    ['another signer', { ...facts, signer: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf' }],
    ['a signer that is somebody else', { ...facts, identity: 'did:parley:org/bob' }],
    ['the node of somebody else', { ...facts, node: uuid(1) }],
    ['other contexts', { ...facts, contexts: [topicPin('other')] }],
    ['a context too many', { ...facts, contexts: [...facts.contexts, ...facts.contexts] }],
    ['no contexts', { ...facts, contexts: [] }],
  ];
  test.each(lies)('a pin with %s makes it void', (_, pinned) => {
    expect(verifyBatch(payload, pinned)).toMatchObject({ status: 'void' });
  });

  const texts: [string, string][] = [
    ['is not JSON', payload.slice(0, -1)],
    ['is empty', ''],
    ['is an array', '[]'],
    ['has an unknown field', payload.replace('"version":1,', '"version":1,"colour":"red",')],
    ['has an unknown field in a message', payload.replace('"tag":', '"colour":"red","tag":')],
    ['repeats a key', payload.replace('"type":"broadcast",', '"type":"broadcast","type":"broadcast",')],
    ['lacks a field', payload.replace('"created":"2026-01-15T10:00:00.124Z",', '')],
    ['has a field of another type', payload.replace('"tag":"new_order"', '"tag":7')],
    ['has other data', payload.replace('"price":1.50', '"price":1.5')],
    ['has another tag', payload.replace('new_order', 'old_order')],
    ['is nested too deeply', payload.replace('17', `${'['.repeat(200_000)}${']'.repeat(200_000)}`)],
    ['is larger than a payload may be', payload.padEnd(networkLimits.maxPayloadBytes + 1)],
  ];
  test.each(texts)('a payload that %s is void, and nothing is thrown', (_, text) => {
    expect(verifyBatch(text, facts)).toMatchObject({ status: 'void' });
  });

  test('a message may have ten topics and 256 data items, and a payload 2 MiB', () => {
    const topics = Array.from({ length: networkLimits.maxTopics }, (_, i) => `t${i}`);
    const data = Array.from({ length: networkLimits.maxDataItems + 1 }, (_, i) => anItem({ id: uuid(i) }));
    const judge = (items: typeof data) => {
      const content = aContent({ messages: [aMessage({ topics }, items)], data: items });
      const sealed = sealBatch(content);
      return verifyBatch(sealed.payload.padEnd(networkLimits.maxPayloadBytes), factsOf(content, sealed));
    };
    expect(judge(data.slice(1))).toMatchObject({ status: 'valid' });
    expect(judge(data)).toEqual({ status: 'void', reason: 'too many data items' });
  });

  test('a payload of a later version is not judged', () => {
    const later = payload.replace('"version":1', '"version":2,"colour":"red"');
    expect(verifyBatch(later, facts)).toEqual({ status: 'unknown_version', version: 2 });
    const longer = `{"messages":[${'{},'.repeat(networkLimits.maxBatchMessages)}{}],"version":2}`;
    expect(verifyBatch(longer, facts)).toEqual({ status: 'unknown_version', version: 2 });
  });

  const contents: [string, Parameters<typeof aContent>[0]][] = [
    ['no messages', { messages: [], data: [] }],
    ['a message twice', { messages: [aMessage(), aMessage()] }],
    ['a message of another author', { messages: [aMessage({ author: 'did:parley:org/bob' })] }],
    [
      'a message signed by another key',
      { messages: [aMessage({ key: '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf' })] },
    ],
    ['a message of another namespace', { messages: [aMessage({ namespace: 'other' })] }],
    ['a topic that is no name', { messages: [aMessage({ topics: ['a b'] })] }],
    ['a topic twice', { messages: [aMessage({ topics: ['a', 'a'] })] }],
    ['no topic', { messages: [aMessage({ topics: [] })] }],
    ['eleven topics', { messages: [aMessage({ topics: Array.from({ length: 11 }, (_, i) => `t${i}`) })] }],
    ['a reserved tag', { messages: [aMessage({ tag: 'svc_x' })] }],
    ['a reserved topic', { messages: [aMessage({ topics: ['svc_ns_default'] })] }],
    ['a definition outside the system namespace', { messages: [aMessage({ type: 'definition' })] }],
    ['a data item that nobody refers to', { data: [anItem(), anItem({ id: uuid(5) })] }],
    ['a data item twice', { data: [anItem(), anItem()] }],
    ['a data item missing', { data: [] }],
    ['a message without data', { messages: [aMessage({}, [])], data: [] }],
    ['a wrong data hash', { data: [{ ...anItem(), hash: '0'.repeat(64) }] }],
    ['an unknown validator', { data: [{ ...anItem(), validator: 'xml' }] }],
  ];
  test.each(contents)('a batch with %s is void', (_, overrides) => {
    const content = aContent(overrides);
    const batch = sealBatch(content);
    expect(verifyBatch(batch.payload, factsOf(content, batch))).toMatchObject({ status: 'void' });
  });

  test('more messages than a batch may have make it void', () => {
    const messages = Array.from({ length: networkLimits.maxBatchMessages + 1 }, (_, i) => aMessage({ id: uuid(i) }));
    const content = aContent({ messages });
    const batch = sealBatch(content);
    const verdict = verifyBatch(batch.payload, factsOf(content, batch));
    expect(verdict).toEqual({ status: 'void', reason: 'too many messages' });
    const fitting = aContent({ messages: messages.slice(1) });
    expect(verifyBatch(sealBatch(fitting).payload, factsOf(fitting))).toMatchObject({ status: 'valid' });
  });

  test('one byte more than the data of a batch may have makes it void', () => {
    const judge = (length: number) => {
      const item = anItem({ value: `"${'x'.repeat(length)}"` });
      const content = aContent({ messages: [aMessage({}, [item])], data: [item] });
      return verifyBatch(sealBatch(content).payload, factsOf(content));
    };
    const longest = networkLimits.maxBatchDataBytes - messageOverheadBytes - '""'.length;
    expect(judge(longest)).toMatchObject({ status: 'valid' });
    expect(judge(longest + 1)).toEqual({ status: 'void', reason: 'more data than a batch may have' });
  });

  test('the start-up check may use its reserved names', () => {
    const message = aMessage({ namespace: 'svc_system', topics: ['svc_smoke'], tag: 'svc_smoke' });
    const content = aContent({ namespace: 'svc_system', messages: [message] });
    expect(verifyBatch(sealBatch(content).payload, factsOf(content))).toMatchObject({ status: 'valid' });
  });
});

describe('verify a private batch', () => {
  const bob = { identity: 'did:parley:org/bob', node: uuid(7) };
  const members = [{ identity: alice.did, node: alice.node }, bob];
  const group: VerifiedGroup = { namespace: 'default', members, hash: hashOfGroup('default', '', members) };
  const privately = { type: 'private', group: group.hash } as const;
  const message = (overrides: object = {}, nonces: number[] | undefined = [0]) => ({
    ...aMessage({ ...privately, ...overrides }),
    ...(nonces !== undefined && { nonces }),
  });
  const content = (...messages: ReturnType<typeof message>[]) => aContent({ messages });
  const judge = (sealed: ReturnType<typeof aContent>, facts: Partial<PinnedFacts> = {}) =>
    verifyBatch(sealBatch(sealed).payload, { ...factsOf(sealed), group, ...facts });

  test('an honest one is valid', () => {
    expect(judge(content(message()))).toMatchObject({ status: 'valid' });
  });

  test.each<[string, Partial<PinnedFacts>]>([
    ['the pin of a broadcast', { type: 'broadcast' }],
    ['no group beside it', { group: undefined }],
    ['another group beside it', { group: { ...group, hash: 'a'.repeat(64) } }],
    ['a group of another namespace', { group: { ...group, namespace: 'other' } }],
    ['a group without its author', { group: { ...group, members: [bob] } }],
    ['a group with its author on another node', { group: { ...group, members: [{ ...bob, identity: alice.did }] } }],
    ['the pins of other nonces', { contexts: [maskedPin('orders', group.hash, alice.did, 1)] }],
    ['the topics in clear as pins', { contexts: [topicPin('orders')] }],
  ])('%s makes it void', (_, facts) => {
    expect(judge(content(message()), facts)).toMatchObject({ status: 'void' });
  });

  test.each<[string, ReturnType<typeof aContent>]>([
    ['a message of another group', content(message(), message({ id: uuid(2), group: 'a'.repeat(64) }))],
    ['a broadcast in it', content(message(), { ...aMessage({ id: uuid(2) }), nonces: [0] })],
    ['a message that needs no batch', content(message({ txtype: 'none' }))],
    ['fewer nonces than topics', content(message({ topics: ['a', 'b'] }, [0]))],
    ['more nonces than topics', content(message({}, [0, 1]))],
    ['reserved names', content(message({ topics: ['svc_smoke'], tag: 'svc_smoke', namespace: 'svc_system' }))],
  ])('%s makes it void', (_, sealed) => {
    expect(judge(sealed)).toMatchObject({ status: 'void' });
  });

  test('more topics times members than its network allows make it void', () => {
    const topics = Array.from({ length: 8 }, (_, i) => `t${i}`);
    const nonces = topics.map(() => 0);
    const sealed = content(
      message({ topics }, nonces),
      message(
        { id: uuid(2), topics },
        topics.map(() => 1),
      ),
    );
    expect(judge(sealed, { maxExpectedPins: 8 * members.length })).toMatchObject({ status: 'valid' });
    const reason = 'more topics than a batch of this group may have';
    expect(judge(sealed, { maxExpectedPins: 8 * members.length - 1 })).toEqual({ status: 'void', reason });
    expect(judge(sealed, { maxExpectedPins: undefined })).toMatchObject({ status: 'valid' });
  });

  test('a nonce that is not a whole number from 0 is invalid', () => {
    const { payload: text } = sealBatch(content(message()));
    for (const nonce of ['-1', '1.5', '1e300', '"0"']) {
      expect(readPayload(text.replace('"nonces":[0]', `"nonces":[${nonce}]`)), nonce).toMatchObject({ status: 'void' });
    }
  });

  describe('by its nonces', () => {
    const read = readPayload(sealBatch(content(message({ topics: ['a', 'b'] }, [0, 3]))).payload);
    if (read.status !== 'valid') throw new Error(read.status);
    const pinOf = (topic: string, nonce: number) => maskedPin(topic, group.hash, alice.did, nonce);
    const [a0, b2, b3] = [pinOf('a', 0), pinOf('b', 2), pinOf('b', 3)];
    const places = [20, 21];

    test('they are compared with the same nonces and with those before', () => {
      expect(pinsToCompare(read.payload)).toEqual([a0, b3, b2]);
    });

    test.each<[string, [string, number][], boolean]>([
      ['each first of its value, after the one before', [[a0, 20], [b2, 7], [b3, 21]], true], // prettier-ignore
      ['one of which stands earlier', [[a0, 19], [b2, 7], [b3, 21]], false], // prettier-ignore
      ['without the one before', [[a0, 20], [b3, 21]], false], // prettier-ignore
      ['before the one before', [[a0, 20], [b2, 22], [b3, 21]], false], // prettier-ignore
    ])('pins %s', (_, first, holds) => {
      expect(faultOfNonces(read.payload, places, new Map(first)) === undefined).toBe(holds);
    });

    test('for each topic, the nonce before the first must have an earlier place', () => {
      expect(noncesBefore(read.payload, places)).toEqual([{ topic: 'b', group: group.hash, nonce: 2, place: 21 }]);
    });

    test('the same value twice in one batch counts as earlier the second time', () => {
      const twice = readPayload(sealBatch(content(message(), message({ id: uuid(2) }))).payload);
      if (twice.status !== 'valid') throw new Error(twice.status);
      const orders = pinOf('orders', 0);
      expect(faultOfNonces(twice.payload, [5, 6], new Map([[orders, 5]]))).toBeDefined();
    });
  });
});

describe('verify data', () => {
  const blob = { hash: 'b'.repeat(64), size: 3 };
  const withBlob = (blobOf: object) => {
    const item = { ...anItem(), blob: { ...blob, ...blobOf } };
    return { ...item, hash: hashOfItem(item) };
  };
  const batchOf = (item: ReturnType<typeof anItem>) => {
    const { datahash: _, ...header } = aMessage().header;
    return aContent({ messages: [sealMessage(header, [{ id: item.id, hash: item.hash }])], data: [item] });
  };
  const judge = (item: ReturnType<typeof anItem>) => {
    const content = batchOf(item);
    return verifyBatch(sealBatch(content).payload, factsOf(content));
  };

  test('a broadcast requires its blobs in the shared store', () => {
    expect(judge(withBlob({ public: 'Qm' }))).toMatchObject({ status: 'valid' });
    expect(judge(withBlob({}))).toMatchObject({ status: 'void' });
  });

  test.each([-1, 1.5, 2 ** 60])('a blob of %s bytes is none', (size) => {
    expect(judge(withBlob({ public: 'Qm', size }))).toMatchObject({ status: 'void' });
  });

  test('an item without value and blob is invalid', () => {
    const { value: _, ...item } = anItem();
    expect(judge({ ...item, hash: hashOfItem(item) })).toMatchObject({ status: 'void' });
  });
});
