import { describe, expect, it } from 'vitest';
import { digitsOf, idOf, packedId, rangesOf, unpackedId } from '../../../../../src/adapters/database/dialect/ids.js';

const uuid = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const key = `0x${'cd'.repeat(20)}`;
const hash = 'ab'.repeat(32);

describe('an id that SQLite keeps as bytes', () => {
  it.each([uuid, key, hash])('%s is restored from its digits, in either case', (id) => {
    const digits = digitsOf(id) ?? '';
    expect(digits).toMatch(/^[0-9a-f]+$/);
    expect([idOf(digits), idOf(digits.toUpperCase()), unpackedId(packedId(id))]).toEqual([id, id, id]);
  });

  it.each(['', 'a', '.a', uuid.toUpperCase(), uuid.replaceAll('-', ''), key.toUpperCase(), `${hash}ab`, 'é\0'])(
    'is not "%s", which stays text',
    (text) => {
      expect(digitsOf(text)).toBeUndefined();
      expect(packedId(text)).toBe(`.${Buffer.from(text).toString('hex')}`);
      expect(unpackedId(`.${text}`)).toBe(text);
    },
  );
});

describe('the ids with a prefix', () => {
  it.each<[string, readonly number[]]>([
    ['3', [16, 32]],
    ['3fa85f64', [16, 32]],
    ['3fa85f64-', [16]],
    ['3fa85f645', [32]],
    ['0', [16, 20, 32]],
    ['0x', [20]],
    [uuid, [16]],
    [`${uuid}0`, []],
    ['A', []],
    ['-', []],
  ])('that begin with %s may have %j bytes', (prefix, sizes) => {
    expect(rangesOf(prefix).map(({ sizeBytes }) => sizeBytes)).toEqual(sizes);
  });

  it('are between the first and the last', () => {
    const [range] = rangesOf('3fa85f64-5');
    expect(range?.from.toString('hex')).toBe('3fa85f645'.padEnd(32, '0'));
    expect(range?.to.toString('hex')).toBe('3fa85f645'.padEnd(32, 'f'));
  });
});
