import { describe, expect, test } from 'vitest';
import { fillBatch, maxTopicsFor, sealBatch, takeNonces } from '../../../../src/domain/messages/batch.js';
import { networkLimits } from '../../../../src/domain/network/limits.js';
import { groupContext, topicPin } from '../../../../src/domain/messages/pin.js';
import { aContent, alice, aMessage } from '../../../support/fixtures.js';

const payload =
  '{"version":1,"id":"5e8d2f10-9a4b-4c3d-8e7f-6a5b4c3d2e10","type":"broadcast","namespace":"default",' +
  '"node":"77e9474b-8692-86e7-89a6-23438b369acf","author":"did:parley:org/alice",' +
  '"key":"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",' +
  '"tx":{"type":"batch_pin","id":"c0a7e1d4-5b62-4f3a-9c8d-7e6f5a4b3c21"},"created":"2026-01-15T10:00:00.124Z",' +
  '"messages":[{"header":{"id":"9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01","type":"broadcast","txtype":"batch_pin",' +
  '"author":"did:parley:org/alice","key":"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf",' +
  '"created":"2026-01-15T10:00:00.120Z","namespace":"default","topics":["orders"],"tag":"new_order",' +
  '"datahash":"36dc1f7a50f65a5047332d310a3185899259982fa38322e60147fda4e112751a"},' +
  '"hash":"31cfbd9ee7d82d682048608c427a02676d3b063b39e30f05633cde7060140dd1",' +
  '"data":[{"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11",' +
  '"hash":"bb607708bce7a131655b8636e9e7eafbdbec1597c6ec25aa5df63046adb7ae81"}]}],' +
  '"data":[{"id":"3d5b8a52-2c1f-4b7e-9f60-1b0a4d7c9e11","validator":"json",' +
  '"hash":"bb607708bce7a131655b8636e9e7eafbdbec1597c6ec25aa5df63046adb7ae81",' +
  '"created":"2026-01-15T10:00:00.118Z","value":{"order":17,"sku":"A-1","price":1.50}}]}';

describe('seal', () => {
  test('a batch is one text, and its hash covers every byte of it', () => {
    const batch = sealBatch(aContent());
    expect(batch.payload).toBe(payload);
    expect(batch.hash).toBe('a2a36966727dbba4884039dcc84592c62632fb834874f74376d95d278565979a');
    expect(batch.contexts).toEqual([topicPin('orders')]);
  });
});

describe('fill', () => {
  const waiting = (topics: string[], overrides: object = {}) => {
    return { namespace: 'default', author: alice.did, group: null, topics, steps: 0, sizeBytes: 1024, ...overrides };
  };
  const nothingHeld = () => false;

  test('selects nothing if nothing waits', () => {
    expect(fillBatch([], nothingHeld)).toEqual([]);
  });

  test('selects messages in order up to the maximum number', () => {
    const messages = Array.from({ length: 300 }, (_, i) => waiting([`t${i}`]));
    expect(fillBatch(messages, nothingHeld)).toEqual(messages.slice(0, networkLimits.maxBatchMessages));
  });

  test('stops before the message that would exceed the bytes', () => {
    const half = networkLimits.maxBatchDataBytes / 2;
    const [a, b, c] = [waiting(['a'], { sizeBytes: half }), waiting(['b'], { sizeBytes: half + 1 }), waiting(['c'])];
    expect(fillBatch([a, b, c], nothingHeld)).toEqual([a]);
    expect(fillBatch([{ ...a, sizeBytes: half - 1 }, b], nothingHeld)).toHaveLength(2);
  });

  test('stops before the message that would exceed the topics for its group, which count once', () => {
    const group = 'a'.repeat(64);
    const messages = [['a', 'b'], ['b', 'a'], ['b', 'c'], ['d'], ['a']].map((topics) => waiting(topics, { group }));
    expect(fillBatch(messages, nothingHeld, { maxTopics: () => 3 })).toEqual(messages.slice(0, 3));
    expect(fillBatch(messages, nothingHeld, { maxTopics: () => 4 })).toEqual(messages);
    expect(fillBatch(messages.slice(2), nothingHeld, { maxTopics: () => 1 })).toEqual(messages.slice(2, 3));
    expect([2, 10, 256].map(maxTopicsFor)).toEqual([5_120, 1_024, 40]);
  });

  test('a node may use smaller batches, and sends larger messages alone', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((topic) => waiting([topic], { sizeBytes: 2_000 }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('no messages');
    expect(fillBatch([a, b, c], nothingHeld, { maxMessages: 2, maxBytes: 9_000 })).toEqual([a, b]);
    expect(fillBatch([a, b, c], nothingHeld, { maxMessages: 9, maxBytes: 4_000 })).toEqual([a, b]);
    expect(fillBatch([a, b, c], nothingHeld, { maxMessages: 9, maxBytes: 1_024 })).toEqual([a]);
    const many = Array.from({ length: 300 }, (_, i) => waiting([`t${i}`]));
    expect(fillBatch(many, nothingHeld, { maxMessages: 250, maxBytes: 9e9 })).toHaveLength(
      networkLimits.maxBatchMessages,
    );
  });

  test('selects no more than may be judged together', () => {
    const messages = [40, 60, 1].map((steps) => waiting(['a'], { steps }));
    expect(fillBatch(messages, nothingHeld, { maxSteps: 100 })).toEqual(messages.slice(0, 2));
    expect(fillBatch(messages, nothingHeld, { maxSteps: 99 })).toEqual(messages.slice(0, 1));
  });

  test('selects none after one of another namespace that shares a topic with it', () => {
    const first = waiting(['a']);
    const other = waiting(['a', 'b'], { namespace: 'other' });
    const blocked = waiting(['b', 'c']);
    const alsoBlocked = waiting(['c']);
    const free = waiting(['d']);
    expect(fillBatch([first, other, blocked, alsoBlocked, free], nothingHeld)).toEqual([first, free]);
  });

  test('selects only private messages of the same group, and skips the others', () => {
    const group = 'a'.repeat(64);
    const ours = waiting(['a'], { group });
    const theirs = waiting(['a'], { group: 'b'.repeat(64) });
    const alsoOurs = waiting(['a', 'b'], { group });
    expect(fillBatch([ours, theirs, alsoOurs], nothingHeld)).toEqual([ours, alsoOurs]);
  });

  test('skips a held message and all later ones that share a context with it', () => {
    const held = waiting(['a', 'b']);
    const behind = waiting(['b', 'c']);
    const behindThat = waiting(['c']);
    const free = waiting(['d']);
    expect(fillBatch([held, behind, behindThat, free], (message) => message === held)).toEqual([free]);
    expect(fillBatch([held], () => true)).toEqual([]);
  });

  test('topics of one name in two groups are two contexts', () => {
    const held = waiting(['a'], { group: 'a'.repeat(64) });
    const other = waiting(['a'], { group: 'b'.repeat(64) });
    expect(fillBatch([held, other], (message) => message === held)).toEqual([other]);
  });
});

describe('nonces', () => {
  const group = '26b3fc284df96edf2ecb3f59cfb346a3f0db5de879e18d896323e96e61eb346f';
  const privately = (topics: string[]) => aMessage({ type: 'private', group, topics });

  test('begin with 0 in every context and rise by one with every message there', () => {
    const messages = takeNonces([privately(['a', 'b']), privately(['b']), privately(['c', 'b'])], new Map());
    expect(messages.map(({ nonces }) => nonces)).toEqual([[0, 0], [1], [0, 2]]);
  });

  test('continue after nonces that were used before', () => {
    const context = groupContext('a', group);
    const next = new Map([[context, 7]]);
    expect(takeNonces([privately(['a']), privately(['a'])], next).map(({ nonces }) => nonces)).toEqual([[7], [8]]);
    expect(next).toEqual(new Map([[context, 9]]));
  });

  test('do not exist for broadcasts', () => {
    expect(takeNonces([aMessage()], new Map())).toEqual([aMessage()]);
  });

  test('make the masked pins of a private batch, whose payload alone contains its group', () => {
    const [message] = takeNonces([privately(['orders'])], new Map());
    const batch = sealBatch(aContent({ messages: message === undefined ? [] : [message] }));
    expect(batch.contexts).toEqual(['bff816b8853742fa432072b8dd749f1f270605ab7405f1389f80b66d787ca4a4']);
    expect(batch.payload).toContain('"type":"private","namespace"');
    expect(batch.payload).toContain('"nonces":[0]}]');
    expect(batch.payload).not.toContain('"members"');
  });
});
