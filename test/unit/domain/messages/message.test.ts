import { describe, expect, test } from 'vitest';
import {
  checkReserved,
  type Reservable,
  faultOfMessage,
  resolveTag,
  resolveTopics,
  sizeOfMessage,
  type UnsealedHeader,
} from '../../../../src/domain/messages/message.js';
import { compact } from '../../../../src/wire/json/json-reader.js';
import type { ParentType } from '../../../../src/wire/messages/message.js';
import { aMessage } from '../../../support/fixtures.js';
import { codeOf } from '../../../support/codes.js';

test('the seal of the published example is reproduced', () => {
  const { header, hash } = aMessage();
  expect(header.datahash).toBe('36dc1f7a50f65a5047332d310a3185899259982fa38322e60147fda4e112751a');
  expect(hash).toBe('31cfbd9ee7d82d682048608c427a02676d3b063b39e30f05633cde7060140dd1');
});

test('a sealed message is valid, and any change to it is detected', () => {
  const message = aMessage();
  expect(faultOfMessage(message)).toBeUndefined();
  expect(faultOfMessage({ ...message, hash: '0'.repeat(64) })).toBeDefined();
  expect(faultOfMessage({ ...message, data: [] })).toBeDefined();
  expect(faultOfMessage({ ...message, header: { ...message.header, tag: 'other' } })).toBeDefined();
});

test('only private messages have a group', () => {
  const group = 'a'.repeat(64);
  expect(faultOfMessage(aMessage({ type: 'private', group }))).toBeUndefined();
  expect(faultOfMessage(aMessage({ type: 'private', group }, []))).toBeUndefined();
  expect(faultOfMessage(aMessage({ type: 'private' }))).toBeDefined();
  expect(faultOfMessage(aMessage({ group }))).toBeDefined();
});

describe('a message of an operation', () => {
  const group = 'a'.repeat(64);
  const parentOf = (type: ParentType) => ({ type, id: '84e1b7c3-0d5f-4a29-9e6b-1c3d5f7a9b10' });
  const faultFor = (overrides: Partial<UnsealedHeader>) => faultOfMessage(aMessage(overrides));

  test.each([
    ['transfer_private', 'token_transfer', group],
    ['private', 'token_transfer', group],
    ['transfer_broadcast', 'token_transfer', undefined],
    ['broadcast', 'token_transfer', undefined],
    ['approval_private', 'token_approval', group],
    ['approval_broadcast', 'token_approval', undefined],
    ['private', 'contract_invoke', group],
    ['broadcast', 'contract_invoke', undefined],
  ] as const)('%s goes with %s', (type, parent, itsGroup) => {
    const ofGroup = itsGroup === undefined ? {} : { group: itsGroup };
    expect(faultFor({ type, ...ofGroup, txparent: parentOf(parent) })).toBeUndefined();
  });

  test('its type follows the group: no broadcast with one, no private message without', () => {
    const txparent = parentOf('token_transfer');
    expect(faultFor({ type: 'transfer_private', txparent })).toBe('the group does not go with the type');
    expect(faultFor({ type: 'transfer_broadcast', group, txparent })).toBe('the group does not go with the type');
  });

  test.each([
    ['transfer_broadcast', 'token_approval'],
    ['approval_broadcast', 'token_transfer'],
    ['transfer_broadcast', 'contract_invoke'],
  ] as const)('%s does not go with %s', (type, parent) => {
    expect(faultFor({ type, txparent: parentOf(parent) })).toBe('the type does not go with the transaction');
  });

  test('its types require its transaction', () => {
    expect(faultFor({ type: 'transfer_broadcast' })).toBe('a message of an operation without its transaction');
  });

  test('it is pinned', () => {
    const fault = faultFor({ type: 'private', group, txtype: 'none', txparent: parentOf('token_transfer') });
    expect(fault).toBe('a message of an operation that is not pinned');
  });
});

describe('topics', () => {
  test('topic stands for topics, and neither means the default', () => {
    expect(resolveTopics(['a', 'b'], ['a', 'b'])).toEqual(['a', 'b']);
    expect(resolveTopics(['a'], [])).toEqual(['a']);
    expect(resolveTopics(undefined, ['b'])).toEqual(['b']);
    expect(resolveTopics(undefined, undefined)).toEqual(['default']);
    expect(resolveTopics([], undefined)).toEqual(['default']);
    expect(resolveTopics([], ['b'])).toEqual(['b']);
  });

  test.each([
    ['FF00134', Array.from({ length: 11 }, (_, i) => `t${i}`)],
    ['FF00133', ['a', 'b', 'a']],
    ['FF00140', ['']],
    ['FF00140', ['a b']],
    ['FF00140', ['-a']],
    ['FF00140', ['x'.repeat(65)]],
  ])('%s for topics that break a rule', (code, topics) => {
    expect(codeOf(() => resolveTopics(topics, undefined))).toBe(code);
  });

  test.each([
    [['a'], ['b']],
    [['a'], ['a', 'b']],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ])('the topics %j beside the topic %j are refused', (topics, topic) => {
    expect(codeOf(() => resolveTopics(topics, topic))).toBe('PY1011');
  });

  test('ten topics of 64 characters are allowed', () => {
    const topics = Array.from({ length: 10 }, (_, i) => `${i}`.padEnd(64, 'x'));
    expect(resolveTopics(topics, undefined)).toEqual(topics);
  });
});

test('an empty tag is absent, a malformed one is refused', () => {
  expect(resolveTag('')).toBeUndefined();
  expect(resolveTag('a.b-c_d')).toBe('a.b-c_d');
  expect(codeOf(() => resolveTag('a/b'))).toBe('FF00140');
});

describe('reserved names', () => {
  const names = (overrides: Partial<Reservable>): Reservable => {
    return { namespace: 'default', type: 'broadcast', topics: ['a'], tag: undefined, ...overrides };
  };
  const smoke = { namespace: 'svc_system', topics: ['svc_smoke'], tag: 'svc_smoke' };

  test('a user may use none of them', () => {
    expect(codeOf(() => checkReserved(names({ topics: ['svc_x'] })))).toBe('PY1105');
    expect(codeOf(() => checkReserved(names({ tag: 'svc_x' })))).toBe('PY1105');
    expect(codeOf(() => checkReserved(names({ namespace: 'svc_system' })))).toBe('FF10415');
  });

  test('the start-up check sends in the system namespace, to all parties', () => {
    expect(codeOf(() => checkReserved(names(smoke)))).toBeUndefined();
    expect(codeOf(() => checkReserved(names({ ...smoke, topics: ['svc_smoke', 'a'] })))).toBe('FF10415');
    expect(codeOf(() => checkReserved(names({ ...smoke, type: 'private' })))).toBe('FF10415');
  });
});

test('the size of a message is 1,024 and the UTF-8 bytes of its values', () => {
  expect(sizeOfMessage([])).toBe(1024);
  expect(sizeOfMessage([compact('"é"'), compact('[1, 2]')])).toBe(1024 + 4 + 5);
});
