import { describe, expect, it } from 'vitest';
import { type ErrorName, isServiceError, ServiceError } from '../../../../src/wire/errors/error.js';
import { readErrorBody } from '../../../../src/wire/errors/error-body.js';
import { errors } from '../../../../src/wire/errors/error-table.js';

const names = Object.keys(errors).filter((name): name is ErrorName => Object.hasOwn(errors, name));

describe('the error table', () => {
  it("has one code per condition, FireFly's or Parley's, and an HTTP status", () => {
    const codes = names.map((name) => errors[name][0]);
    const shared = new Set(codes.filter((code, index) => codes.indexOf(code) < index));
    // These codes have several conditions, each with its own sentence (docs/api.md §4).
    const definitions = ['FF10317', 'FF10400', 'FF10408', 'FF10409'];
    const requests = ['PY1004', 'PY1008', 'PY1009'];
    const identities = ['PY1501', 'PY1502'];
    expect([...shared].sort()).toEqual(['FF00166', 'FF10111', ...definitions, ...requests, ...identities, 'PY1602']);
    for (const name of names) {
      expect(errors[name][0]).toMatch(/^(?:FF\d{5}|PY\d{4})$/);
      expect(errors[name][1]).toBeGreaterThanOrEqual(400);
      expect(errors[name][1]).toBeLessThan(600);
    }
  });
});

describe('a service error', () => {
  it('has a filled sentence, its code, its status and the fields of the sentence', () => {
    const error = new ServiceError('limit_too_large', { max: 1_000, actual: 5_000 });
    expect(error.message).toBe('FF00192: limit may be at most 1000, not 5000.');
    expect(error).toMatchObject({ code: 'FF00192', status: 400, fields: { max: 1_000, actual: 5_000 } });
  });

  it('prints doubled braces as single ones', () => {
    expect(new ServiceError('no_data').text).toContain('[{"value": …}]');
  });

  it("quotes a caller's text shortened, on one line and without control characters", () => {
    const error = new ServiceError('not_found', { what: `a\u001b[31m\n\u202e${'x'.repeat(500)}` });
    expect(error.text).toContain('a\\u{1b}[31m\\u{a}\\u{202e}');
    expect(error.text.length).toBeLessThan(300);
    expect(error.text).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it('is recognised by its name', () => {
    const error: unknown = new ServiceError('no_data');
    expect(isServiceError(error, 'no_data')).toBe(true);
    expect(isServiceError(error, 'not_found')).toBe(false);
    expect(isServiceError(new Error('no_data'), 'no_data')).toBe(false);
  });
});

describe('the body of an error response', () => {
  it('is split into code and sentence', () => {
    expect(readErrorBody('{"error":"FF10109: Not found: x"}')).toEqual({ code: 'FF10109', text: 'Not found: x' });
    expect(readErrorBody('{"error":"PY1005: too deep"}')).toEqual({ code: 'PY1005', text: 'too deep' });
    expect(readErrorBody('{"error":"something"}')).toEqual({ code: undefined, text: 'something' });
  });

  it.each(['', '<html>', '[]', '{"error":5}', '{"message":"x"}', 'null'])('is not recognised in %j', (body) => {
    expect(readErrorBody(body)).toBeUndefined();
  });
});
