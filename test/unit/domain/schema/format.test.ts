import { expect, test } from 'vitest';
import { createDatatypes } from '../../../../src/domain/datatype.js';
import { currentRules } from '../../../../src/domain/network/network-rules.js';
import { textOf } from '../../../../src/wire/json/json.js';

const draft07 = 'http://json-schema.org/draft-07/schema#';
const datatypes = createDatatypes();
const rules = currentRules.validation;

function violations(schema: unknown, value: unknown) {
  return datatypes.compile(textOf(schema), rules).validate(textOf(value), rules).violations;
}

test.each([
  ['date', '2026-02-28', '2026-02-30'],
  ['date-time', '2026-01-15T10:00:00.123Z', '2026-01-15'],
  ['email', 'a@example.org', 'a@@'],
  ['uuid', '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01', 'x'],
  ['ipv4', '127.0.0.1', '127.0.0.256'],
  ['json-pointer', '/a/~0', '/a/~2'],
  ['json-pointer', '/a', '/a'.repeat(400_000)],
  ['json-pointer', '/a'.repeat(4_096), `${'/a'.repeat(4_096)}b`],
])('by the format %s up to draft-07, where later drafts only note it', (format, right, wrong) => {
  expect(violations({ $schema: draft07, format }, right)).toEqual([]);
  expect(violations({ $schema: draft07, format }, wrong)).toHaveLength(1);
  expect(violations({ format }, wrong)).toEqual([]);
});
