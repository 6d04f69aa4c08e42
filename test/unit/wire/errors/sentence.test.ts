import { expect, it } from 'vitest';
import { type ErrorName, ServiceError } from '../../../../src/wire/errors/error.js';
import { errors } from '../../../../src/wire/errors/error-table.js';
import { fillSentence, shortened } from '../../../../src/wire/errors/sentence.js';

it('fills a sentence and keeps it on one line', () => {
  expect(fillSentence('{{a}} {b} {c}', { b: 'x\ny\u202e' })).toBe('{a} x\\u{a}y\\u{202e} ');
});

it('shortens long text, and never within a character', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('abcd', 3)).toBe('abc…');
  expect(shortened('ab\u{1f600}d', 3)).toBe('ab…');
});

it.each(Object.keys(errors))('%s stays short with very long fields', (name) => {
  const long = new Proxy({}, { get: () => 'x'.repeat(1_000_000) });
  const create = ServiceError as new (reason: ErrorName, fields: object) => ServiceError;
  expect(new create(name as ErrorName, long).message.length).toBeLessThan(1_500);
});
