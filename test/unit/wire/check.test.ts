import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { assertConforms, check } from '../../../src/wire/check.js';

const member = Type.Object({ identity: Type.Optional(Type.String()) });
const schema = Type.Object({
  name: Type.String({ description: 'of a group' }),
  kind: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')])),
  group: Type.Optional(Type.Union([Type.Object({ members: Type.Array(member) }), Type.String()])),
  size: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  age: Type.Optional(Type.Union([Type.String(), Type.Integer({ minimum: 1, description: 'in years' })])),
});

function refusalOf(value: unknown): string {
  try {
    assertConforms(schema, value, 'the body');
    return 'none';
  } catch (error) {
    return String(error);
  }
}

test('accepts a value that conforms', () => {
  expect(refusalOf({ name: 'a', group: { members: [{ identity: 'bob' }] } })).toBe('none');
  expect(check(schema, { name: 'a', group: 'hash' })).toBe(true);
});

test.each([
  [{}, 'The field name is required'],
  [{ name: 5 }, 'name must be string (of a group), not of type number'],
  [[], ': the body must be of type object, not an array'],
  [{ name: 'a', group: 5 }, 'group must be of type object or string, not of type number'],
  [{ name: 'a', kind: 'x' }, 'kind must be of type "open" or "closed", not of type string'],
  [{ name: 'a', group: {} }, 'The field group.members is required'],
  [{ name: 'a', group: { members: ['bob'] } }, 'group.members.0 must be of type object, not of type string'],
  [{ name: 'a', size: 10 }, 'size must be of type integer from 0 to 9, not 10'],
  [{ name: 'a', size: 1.5 }, 'size must be of type integer from 0 to 9, not 1.5'],
  [{ name: 'a', size: 'x' }, 'size must be of type integer from 0 to 9, not of type string'],
  [{ name: 'a', age: 0 }, 'age must be integer (in years) from 1, not 0'],
  [{ name: 'a', age: 0.5 }, 'age must be integer (in years) from 1, not 0.5'],
])('refuses %j: %s', (value, sentence) => {
  expect(refusalOf(value)).toContain(sentence);
});
