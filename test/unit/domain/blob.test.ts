import { describe, expect, test } from 'vitest';
import { blobLabels } from '../../../src/domain/blob.js';
import { textOf } from '../../../src/wire/json/json.js';

describe('blobLabels', () => {
  test.each([
    [{ name: 'a.txt', filename: 'b.txt' }, { name: 'a.txt' }],
    [{ filename: 'b.txt' }, { name: 'b.txt' }],
    [
      { path: '/dir/sub', filename: 'b.txt' },
      { name: '/dir/sub/b.txt', path: '/dir/sub' },
    ],
    [{ name: 'x/y/z' }, { name: 'x/y/z', path: '/x/y' }],
    [{ name: '/z' }, { name: '/z', path: '/' }],
    [{ path: '/dir' }, {}],
    [{ name: 1, filename: 'b' }, { name: 'b' }],
    [{ name: '' }, {}],
    [{}, {}],
    [['name'], {}],
    ['name', {}],
    [null, {}],
  ])('of %j are %j', (value, labels) => {
    expect(blobLabels(textOf(value))).toEqual(labels);
  });

  test('ignores names inherited from the prototype', () => {
    expect(blobLabels(textOf({ constructor: 'x' }))).toEqual({});
    expect(blobLabels(textOf({ __proto__: { name: 'x' } }))).toEqual({});
  });

  test('leaves out a label whose JSON text is above 512 bytes', () => {
    expect(blobLabels(textOf({ name: 'n'.repeat(510) }))).toEqual({ name: 'n'.repeat(510) });
    expect(blobLabels(textOf({ name: 'n'.repeat(511) }))).toEqual({});
    expect(blobLabels(textOf({ name: 'ü'.repeat(256) }))).toEqual({});
    expect(blobLabels(textOf({ name: '"'.repeat(256) }))).toEqual({});
  });
});
