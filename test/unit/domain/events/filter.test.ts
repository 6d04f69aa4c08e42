import { describe, expect, test } from 'vitest';
import { compileFilter, nestedFilter, readFilter } from '../../../../src/domain/events/filter.js';
import type { Filterable } from '../../../../src/domain/events/filter-fields.js';
import { codeOf } from '../../../support/codes.js';

const message: Filterable = {
  type: 'message_confirmed',
  topics: ['orders', 'eu'],
  author: 'did:parley:org/alice',
  group: 'a7',
  tag: 'new_order',
  txtype: 'batch_pin',
  chainName: null,
  listener: null,
};
const definition: Filterable = {
  type: 'datatype_confirmed',
  topics: ['svc_definition'],
  author: null,
  group: null,
  tag: null,
  txtype: null,
  chainName: null,
  listener: null,
};
const heard: Filterable = {
  ...definition,
  type: 'blockchain_event_received',
  topics: ['boxes'],
  txtype: 'contract_invoke',
  chainName: 'Changed',
  listener: '0c5c4a8f-0a3d-4f0e-9b52-6b7d9a3c2f10',
};
const matches = (filter: Record<string, string>, event = message) =>
  compileFilter(new Map(Object.entries(filter)))(event);
const readKeys = (filter: unknown) => Object.fromEntries(readFilter(filter));

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
    expect(matches({ author: 'alice$', tag: 'order', group: '^a' })).toBe(true);
    expect(matches({ 'message.author': 'alice$', 'message.tag': 'order', 'message.group': '^a' })).toBe(true);
    expect(matches({ 'message.group': '^b' })).toBe(false);
    expect(matches({ group: '^b' })).toBe(false);
  });
  test('matches by its author in either DID method, without changes to the expression', () => {
    for (const [method, other] of [
      ['parley', 'firefly'],
      ['firefly', 'parley'],
    ] as const) {
      const authored = {
        ...message,
        author: `did:${method}:org/alice`,
        tag: `did:${method}:x`,
        topics: [`did:${method}:x`],
      };
      for (const each of [method, other]) {
        expect(matches({ author: `^did:${each}:org/alice$` }, authored)).toBe(true);
        expect(matches({ author: `^\\Qdid:${each}:\\Eorg/` }, authored)).toBe(true);
        expect(matches({ author: `^did:[${each}]+:org/` }, authored)).toBe(true);
        expect(matches({ author: `^did:${each}:org/bob$` }, authored)).toBe(false);
        expect(matches({ author: '^[did:parley:]+[/]' }, { ...authored, author: '(?/' })).toBe(false);
        expect(matches({ tag: `did:${each}:x` }, authored)).toBe(each === method);
        expect(matches({ topics: `did:${each}:x` }, authored)).toBe(each === method);
      }
    }
  });
  test('matches by the type of its transaction', () => {
    expect(matches({ 'transaction.type': '^batch_pin$' })).toBe(true);
    expect(matches({ 'transaction.type': '^none$' })).toBe(false);
    for (const txtype of ['none', 'unpinned']) {
      for (const word of ['^none$', '^unpinned$']) {
        expect(matches({ 'transaction.type': word }, { ...message, txtype })).toBe(true);
      }
      expect(matches({ 'transaction.type': '^batch_pin$' }, { ...message, txtype })).toBe(false);
    }
  });
});

describe('an event that is not about a message', () => {
  test('matches by its topic, and not by topics of messages', () => {
    expect(matches({ topic: '^svc_definition$' }, definition)).toBe(true);
    expect(matches({ topics: '^svc_definition$' }, definition)).toBe(true);
    expect(matches({ 'message.topics': 'definition' }, definition)).toBe(false);
  });
  test('has empty text for missing fields', () => {
    for (const name of ['message.topics', 'message.author', 'message.group', 'message.tag', 'transaction.type']) {
      expect(matches({ [name]: '^$' }, definition)).toBe(true);
      expect(matches({ [name]: '.' }, definition)).toBe(false);
    }
  });
});

describe("an event about a contract's log", () => {
  test('matches by name and listener, in every spelling', () => {
    for (const prefix of ['blockchainevent', 'blockchain']) {
      expect(matches({ [`${prefix}.name`]: '^Chan', [`${prefix}.listener`]: '^0c5c4a8f' }, heard)).toBe(true);
      expect(matches({ [`${prefix}.name`]: '^Added$' }, heard)).toBe(false);
      expect(matches({ [`${prefix}.listener`]: '^$' }, heard)).toBe(false);
    }
  });
  test('matches by its topic and the type of its transaction', () => {
    expect(matches({ topic: '^boxes$', 'transaction.type': '^contract_invoke$' }, heard)).toBe(true);
    expect(matches({ 'transaction.type': '^batch_pin$' }, heard)).toBe(false);
  });
  test('is the only one with a name and a listener', () => {
    for (const name of ['blockchainevent.listener', 'blockchainevent.name']) {
      expect(matches({ [name]: '^$' })).toBe(true);
      expect(matches({ [name]: '^$' }, definition)).toBe(true);
    }
  });
});

test('an unknown name, a bad expression and a long one are refused', () => {
  expect(codeOf(() => matches({ evnts: 'x' }))).toBe('PY1601');
  expect(codeOf(() => matches({ constructor: 'x' }))).toBe('PY1601');
  expect(codeOf(() => matches({ events: '(' }))).toBe('FF10171');
  expect(codeOf(() => matches({ events: '(?=x)' }))).toBe('FF10171');
  expect(codeOf(() => matches({ events: 'x'.repeat(1025) }))).toBe('FF00135');
  expect(codeOf(() => matches({ events: 'ä'.repeat(513) }))).toBe('FF00135');
});

test('expressions that become very long when their repetitions are expanded are refused', () => {
  expect(codeOf(() => matches({ events: '(x{900})'.repeat(100) }))).toBe('FF10171');
  const half = '(x{900})'.repeat(6);
  expect(codeOf(() => matches({ events: half, tag: half }))).toBe('FF10171');
});

test('an expression that is slow in a backtracking engine is fast', () => {
  expect(matches({ 'message.tag': '^(a+)+$' }, { ...message, tag: `${'a'.repeat(5000)}!` })).toBe(false);
});

describe('the filter of a request', () => {
  test('accepts nested objects and dotted keys, in every spelling', () => {
    const every = { 'message.tag': '^t$', 'message.topics': 'a', 'message.author': 'b', 'message.group': 'c' };
    expect(readKeys({ message: { tag: '^t$', topics: 'a', author: 'b', group: 'c' } })).toEqual(every);
    expect(readKeys({ 'message.tag': '^t$', message: { topic: 'a' }, author: 'b', group: 'c' })).toEqual(every);
    expect(readKeys({ topics: 'x', transaction: { type: 'y' } })).toEqual({ topic: 'x', 'transaction.type': 'y' });
    expect(readKeys({ blockchain: { name: 'x' } })).toEqual({ 'blockchainevent.name': 'x' });
  });
  test('may be absent or empty, or have empty keys', () => {
    for (const filter of [undefined, null, {}, { message: {} }, { events: '' }, { message: { tag: null } }]) {
      expect(readKeys(filter)).toEqual({});
    }
  });
  test('is refused with an unknown key at any depth', () => {
    for (const filter of [{ mesage: {} }, { message: { tagg: 'x' } }, { message: 'x' }, { events: { type: 'x' } }]) {
      expect(codeOf(() => readFilter(filter))).toBe('PY1601');
    }
  });
  test('names the nearest key to an unknown one', () => {
    expect(() => readFilter({ message: { tagg: 'x' } })).toThrow('did you mean "message.tag"');
    expect(() => readFilter({ message: { tag: { like: 'x' } } })).toThrow(
      '"message.tag.like" — did you mean "message.tag"',
    );
  });
  test('lists the known keys for an invalid one', () => {
    expect(() => readFilter({ transaction: 'x' })).toThrow('"transaction"; known: transaction.type.');
    expect(codeOf(() => readFilter({ '': 'x' }))).toBe('PY1601');
  });
  test('is refused if an expression is not text', () => {
    for (const filter of [7, 'x', [], { events: 1 }, { events: ['x'] }, { message: true }]) {
      expect(codeOf(() => readFilter(filter))).toBe('PY1011');
    }
  });
  test('is refused if two spellings of a key differ', () => {
    expect(codeOf(() => readFilter({ tag: 'a', message: { tag: 'b' } }))).toBe('FF10189');
    expect(codeOf(() => readFilter({ 'message.tag': 'a', message: { tag: 'b' } }))).toBe('FF10189');
    expect(readKeys({ tag: 'a', message: { tag: 'a' } })).toEqual({ 'message.tag': 'a' });
  });
  test('is served nested, in one order', () => {
    const given = { 'transaction.type': 'd', tag: 'c', 'message.topics': 'b', events: 'a' };
    expect(nestedFilter(readFilter(given))).toEqual({
      events: 'a',
      message: { topics: 'b', tag: 'c' },
      transaction: { type: 'd' },
    });
  });
});
