import { expect, it } from 'vitest';
import { type ErrorName, ServiceError } from '../../../../src/wire/errors/error.js';
import { errors } from '../../../../src/wire/errors/error-table.js';
import { fillSentence, shortened } from '../../../../src/wire/errors/sentence.js';

it('fills a sentence on one line, whatever it is filled with', () => {
  expect(fillSentence('{{a}} {b} {c}', { b: 'x\ny\u202e' })).toBe('{a} x\\u{a}y\\u{202e} ');
});

it('shortens long text, and cuts no character in half', () => {
  expect(shortened('abc', 3)).toBe('abc');
  expect(shortened('abcd', 3)).toBe('abc…');
  expect(shortened('ab\u{1f600}d', 3)).toBe('ab…');
});

it.each(Object.keys(errors))('%s is short, however long what a caller has sent', (name) => {
  const long = new Proxy({}, { get: () => 'x'.repeat(1_000_000) });
  const create = ServiceError as new (reason: ErrorName, fields: object) => ServiceError;
  expect(new create(name as ErrorName, long).message.length).toBeLessThan(1_500);
});
