import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../../src/http/bodies/range.js';

describe('parseRange', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=2-5', 2, 6],
    ['bytes=2-', 2, 10],
    ['bytes=-3', 7, 10],
    ['bytes=-30', 0, 10],
    ['bytes=5-500', 5, 10],
    ['bytes=5-99999999999999999999', 5, 10],
    ['bytes=-99999999999999999999', 0, 10],
    ['Bytes=1-1', 1, 2],
  ])('reads %s of ten bytes', (header, start, end) => {
    expect(parseRange(header, 10)).toEqual({ start, end });
  });

  it.each(['', 'bytes=-', 'bytes=5-2', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b', 'bytes 0-1', 'bytes=1'])(
    'answers the whole for %j',
    (header) => {
      expect(parseRange(header, 10)).toBeUndefined();
    },
  );

  it.each([
    ['bytes=10-', 10],
    ['bytes=10-12', 10],
    ['bytes=99999999999999999999-', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-1', 0],
  ])('refuses %s of %i bytes', (header, sizeBytes) => {
    expect(() => parseRange(header, sizeBytes)).toThrow(expect.objectContaining({ reason: 'range_not_satisfiable' }));
  });
});
