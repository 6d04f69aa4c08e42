import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../../src/domain/filter.js';
import { codeOf } from '../../support/codes.js';

const event = {
  type: 'message_confirmed',
  topics: ['orders', 'eu'],
  message: { author: 'did:parley:org/alice', group: 'a7', tag: 'new_order', topics: ['orders', 'eu'] },
};
const matches = (filter: Record<string, string>) => compileFilter(new Map(Object.entries(filter)))(event);

describe('an event', () => {
  test('matches without filters', () => expect(matches({})).toBe(true));
  test('is matched unanchored', () => expect(matches({ events: 'confirmed' })).toBe(true));
  test('must match all filters', () => {
    expect(matches({ events: '^message_confirmed$', 'message.tag': '^new_' })).toBe(true);
    expect(matches({ events: '^message_confirmed$', 'message.tag': '^old_' })).toBe(false);
  });
  test('matches by any of its topics', () => {
    for (const name of ['topic', 'topics', 'message.topic', 'message.topics']) {
      expect(matches({ [name]: '^eu$' })).toBe(true);
      expect(matches({ [name]: '^us$' })).toBe(false);
    }
  });
  test('matches by author, group and tag in both spellings', () => {
    expect(matches({ author: 'alice$', 'message.author': 'org', tag: 'order', group: '^a' })).toBe(true);
    expect(matches({ 'message.group': '^b' })).toBe(false);
  });
});

test('what an event lacks is empty text', () => {
  const filter = compileFilter(new Map([['message.tag', '^$']]));
  expect(filter({ type: 'x', topics: [], message: { author: '', group: null, tag: null, topics: [] } })).toBe(true);
  expect(filter({ type: 'x', topics: [] })).toBe(true);
});

test('an unknown name, a bad expression and a long one are refused', () => {
  expect(codeOf(() => matches({ evnts: 'x' }))).toBe('PY1601');
  expect(codeOf(() => matches({ constructor: 'x' }))).toBe('PY1601');
  expect(codeOf(() => matches({ events: '(' }))).toBe('FF10171');
  expect(codeOf(() => matches({ events: '(?=x)' }))).toBe('FF10171');
  expect(codeOf(() => matches({ events: 'x'.repeat(1025) }))).toBe('FF00135');
});

test('an expression that ruins a backtracking engine costs nothing', () => {
  const filter = compileFilter(new Map([['message.tag', '^(a+)+$']]));
  expect(
    filter({ type: 'x', topics: [], message: { author: '', group: null, tag: `${'a'.repeat(5000)}!`, topics: [] } }),
  ).toBe(false);
});
