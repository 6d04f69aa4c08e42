import { Type } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { assertConforms, check } from '../../../src/wire/check.js';

const member = Type.Object({ identity: Type.Optional(Type.String()) });
const schema = Type.Object({
  name: Type.String({ description: 'of a group' }),
  kind: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed')])),
  group: Type.Optional(Type.Union([Type.Object({ members: Type.Array(member) }), Type.String()])),
});

function refusalOf(value: unknown): string {
  try {
    assertConforms(schema, value, 'the body');
    return 'none';
  } catch (error) {
    return String(error);
  }
}

test('what conforms is passed', () => {
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
])('of %j is said: %s', (value, said) => {
  expect(refusalOf(value)).toContain(said);
});
