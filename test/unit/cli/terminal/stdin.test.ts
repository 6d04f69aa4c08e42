import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAll, readLines } from '../../../../src/cli/terminal/stdin.js';

/** Yields the bytes of a text in pieces, cut anywhere, also inside characters. */
async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    await Promise.resolve();
    yield bytes.subarray(from, to);
    from = to;
  }
}

describe('stdin', () => {
  it('is read to its end, in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.array(fc.nat()), async (text, cuts) => {
        expect((await readAll(pieces(text, cuts))).toString()).toBe(text);
      }),
    );
  });

  it('counts empty lines too', async () => {
    const numbers: number[] = [];
    for await (const { number } of readLines(pieces('a\n\n\r\nb\nc', [1, 2]))) numbers.push(number);
    expect(numbers).toEqual([1, 4, 5]);
  });

  it('is split into lines wherever it is cut; empty ones are left out', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '{', '😀') });
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.array(fc.nat()), async (lines, end, cuts) => {
        const read: string[] = [];
        for await (const each of readLines(pieces(lines.join(end), cuts))) read.push(each.bytes.toString());
        expect(read).toEqual(lines.filter((each) => each !== ''));
      }),
    );
  });
});
