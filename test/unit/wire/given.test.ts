import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import { given } from '../../../src/wire/given.js';
import { BroadcastRequest, PrivateRequest } from '../../../src/wire/messages/message.js';

describe('given', () => {
  test('leaves out optional members that are null or an empty text, at any depth', () => {
    const header = { tag: '', author: null, cid: '', key: '', txtype: null, topics: null };
    expect(given({ header, data: [{ id: '', value: '""', datatype: null }] }, BroadcastRequest)).toEqual({
      header: {},
      data: [{ value: '""' }],
    });
    expect(given({ header: null, idempotencyKey: '' }, BroadcastRequest)).toEqual({});
    expect(given({ group: null, data: [{ value: '1', blob: null }] }, BroadcastRequest)).toEqual({
      data: [{ value: '1' }],
    });
    const group = { name: '', hash: null, members: [{ identity: 'bob', node: '' }] };
    expect(given({ group }, PrivateRequest)).toEqual({ group: { members: [{ identity: 'bob' }] } });
    expect(given({ group: '' }, PrivateRequest)).toEqual({});
  });

  test('keeps required members, elements of arrays, and a null that the schema allows', () => {
    const schema = Type.Object({
      name: Type.String(),
      list: Type.Array(Type.String()),
      none: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    });
    const value = { name: '', list: ['', null], none: null };
    expect(given(value, schema)).toEqual(value);
    expect(given({ ...value, none: '' }, schema)).toEqual({ ...value, none: '' });
  });

  test('fills in the default of a list that is absent or null', () => {
    const schema = Type.Object({ params: Type.Array(Type.String(), { default: [] }), name: Type.String() });
    expect(given({ name: 'get', params: null }, schema)).toEqual({ name: 'get', params: [] });
    expect(given({ name: 'get' }, schema)).toEqual({ name: 'get', params: [] });
    expect(given({ name: 'get', params: ['x'] }, schema)).toEqual({ name: 'get', params: ['x'] });
  });

  test('keeps an empty text where the schema allows one', () => {
    const schema = Type.Object({ description: Type.Optional(Type.String({ minLength: 0 })) });
    expect(given({ description: '' }, schema)).toEqual({ description: '' });
    expect(given({ description: null }, schema)).toEqual({});
  });

  test('returns any other value unchanged', () => {
    for (const value of [null, 'x', 5, ['a']]) expect(given(value, BroadcastRequest)).toEqual(value);
    expect(given({ a: null }, Type.Record(Type.String(), Type.Null()))).toEqual({ a: null });
  });
});
