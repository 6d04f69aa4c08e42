import { describe, expect, test } from 'vitest';
import { sealBatch } from '../../../src/domain/batch.js';
import { networkLimits } from '../../../src/domain/limits.js';
import { topicPin } from '../../../src/domain/pin.js';
import { type PinnedFacts, verifyBatch } from '../../../src/domain/verify.js';
import { aContent, aMessage, anItem, factsOf, uuid } from '../../support/fixtures.js';

const { payload } = sealBatch(aContent());

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
    ['is larger than a payload may be', payload.replace('"A-1"', `"${'x'.repeat(networkLimits.maxPayloadBytes)}"`)],
  ];
  test.each(texts)('a payload that %s is void, and nothing is thrown', (_, text) => {
    expect(verifyBatch(text, facts)).toMatchObject({ status: 'void' });
  });

  test('a payload of a later version is not judged', () => {
    const later = payload.replace('"version":1', '"version":2,"colour":"red"');
    expect(verifyBatch(later, facts)).toEqual({ status: 'unknown_version', version: 2 });
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
    expect(verifyBatch(batch.payload, factsOf(content, batch))).toMatchObject({ status: 'void' });
    const fitting = aContent({ messages: messages.slice(1) });
    expect(verifyBatch(sealBatch(fitting).payload, factsOf(fitting))).toMatchObject({ status: 'valid' });
  });

  test('the start-up check may use its reserved names', () => {
    const message = aMessage({ namespace: 'svc_system', topics: ['svc_smoke'], tag: 'svc_smoke' });
    const content = aContent({ namespace: 'svc_system', messages: [message] });
    expect(verifyBatch(sealBatch(content).payload, factsOf(content))).toMatchObject({ status: 'valid' });
  });
});
