import { expect, test } from 'vitest';
import { createCheckSchema, draftOf } from '../../../../src/domain/schema/draft.js';
import { SchemaFault } from '../../../../src/domain/schema/fault.js';

test.each([
  [{}, '2020-12'],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema#' }, '2020-12'],
  [{ $schema: 'https://json-schema.org/draft/2019-09/schema' }, '2019-09'],
  [{ $schema: 'http://json-schema.org/draft-07/schema' }, 'draft-07'],
  [{ $schema: 'https://json-schema.org/draft-06/schema#' }, 'draft-07'],
])('%j is of the draft %s', (schema, draft) => {
  expect(draftOf(schema)).toBe(draft);
});

test.each(['http://json-schema.org/draft-04/schema#', 'toString', 7, 'http://example.org/'])(
  'the $schema %s is of none',
  ($schema) => {
    expect(() => draftOf({ $schema })).toThrow(SchemaFault);
  },
);

test('each draft has its own meta-schema', () => {
  const check = createCheckSchema();
  const tuple = { items: [true] };
  check('draft-07', tuple);
  check('2019-09', tuple);
  expect(() => check('2020-12', tuple)).toThrow(SchemaFault);
});

test('an enumeration of draft-07 is compared by value, whatever its members are called', () => {
  const check = createCheckSchema();
  check('draft-07', { enum: [{ valueOf: 1 }, { valueOf: 2 }, { toString: 1 }, { toString: 2 }] });
  expect(() =>
    check('draft-07', {
      enum: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    }),
  ).toThrow(SchemaFault);
});
