import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemsOf, rawMembersOf, textMember } from '../../../../src/bench/check/raw-json.js';

describe('the raw reader', () => {
  it('returns values in their source spelling', () => {
    const members = rawMembersOf('{"a":1.50,"b":{"c":"}\\"{"},"d":[1,"]"],"e":null,"a":1e2}');
    expect(Object.fromEntries(members)).toEqual({ a: '1e2', b: '{"c":"}\\"{"}', d: '[1,"]"]', e: 'null' });
    expect(textMember(members, 'e')).toBeUndefined();
  });

  it('splits any object and array at its members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), (object, array) => {
        const plain: unknown = JSON.parse(JSON.stringify(object));
        const members = rawMembersOf(JSON.stringify(object, null, 1));
        const read = Object.fromEntries([...members].map(([name, raw]) => [name, JSON.parse(raw) as unknown]));
        expect(JSON.stringify(read)).toBe(JSON.stringify(Object.fromEntries(Object.entries(plain ?? {}))));
        expect(itemsOf(JSON.stringify(array)).map((raw) => JSON.parse(raw) as unknown)).toEqual(
          JSON.parse(JSON.stringify(array)),
        );
      }),
    );
  });

  it('refuses text that is not an object or array, or truncated', () => {
    for (const text of ['', '[', '{', '{"a":1', '{"a":"b', '7']) expect(() => rawMembersOf(text)).toThrow();
    for (const text of ['', '{}', '[1', '["a']) expect(() => itemsOf(text)).toThrow();
  });
});
