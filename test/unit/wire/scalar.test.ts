import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { Hash, namePattern, nullable, oneOf, Time, Uuid } from '../../../src/wire/scalar.js';

const matches = (schema: TSchema, text: string) => new RegExp(String(schema['pattern'])).test(text);

describe('the schemas of values', () => {
  it('accept lower-case ids, hashes without 0x, and times with milliseconds', () => {
    expect(matches(Uuid, '9b1f6c2e-7a34-4d0b-8a55-2f9c3e6d7a01')).toBe(true);
    expect(matches(Uuid, '9B1F6C2E-7A34-4D0B-8A55-2F9C3E6D7A01')).toBe(false);
    expect(matches(Hash, 'a'.repeat(64))).toBe(true);
    expect(matches(Hash, `0x${'a'.repeat(64)}`)).toBe(false);
    expect(matches(Time, '2026-01-15T10:00:00.123Z')).toBe(true);
    expect(matches(Time, '2026-01-15T10:00:00Z')).toBe(false);
  });

  it('accept names of 1 to 64 characters that begin and end with a letter or digit', () => {
    for (const name of ['a', 'A-1', 'x.y_z', '0'.repeat(64)]) expect(namePattern.test(name)).toBe(true);
    for (const name of ['', '-a', 'a-', 'a b', 'ä', '0'.repeat(65), 'a\n']) expect(namePattern.test(name)).toBe(false);
  });

  it('accept exactly the texts of an enumeration', () => {
    const schema = oneOf(['ready', 'confirmed']);
    expect(['ready', 'confirmed', 'read', 'already', 'ready\n'].map((text) => matches(schema, text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('accept null if they are nullable', () => {
    expect(nullable(Hash)).toMatchObject({ anyOf: [{ pattern: Hash.pattern }, { type: 'null' }] });
  });
});
