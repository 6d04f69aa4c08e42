import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createKnownPieces,
  digestPieces,
  isPiece,
  type Pieces,
  pieceBytes,
} from '../../../../src/pipeline/blobs/pieces.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function* cut(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  let position = 0;
  for (const size of sizes) {
    yield bytes.subarray(position, position + size);
    position += size;
  }
  yield bytes.subarray(position);
}

async function* toAsync(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** As many pieces as asked for, of a blob with this name. */
function piecesOf(hash: string, count: number): Pieces {
  return { hash, digests: new Uint8Array(32 * count) };
}

describe('digestPieces', () => {
  it('hashes the whole and each piece, however the bytes are cut', async () => {
    const bytes = Buffer.alloc(2 * pieceBytes + 100, 'some bytes or other');
    const chunkSizes = fc.array(fc.integer({ min: 0, max: pieceBytes }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(chunkSizes, async (sizes) => {
        const { hash, digests } = await digestPieces(toAsync(cut(bytes, sizes)));
        const pieces = [0, 1, 2].map((index) => bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes));
        expect(hash).toBe(sha256(bytes).toString('hex'));
        expect(Buffer.from(digests).equals(Buffer.concat(pieces.map(sha256)))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('has no piece of nothing, and one of exactly one', async () => {
    const lengthOf = async (sizeBytes: number) =>
      (await digestPieces(toAsync([new Uint8Array(sizeBytes)]))).digests.length / 32;
    expect([await lengthOf(0), await lengthOf(pieceBytes), await lengthOf(pieceBytes + 1)]).toEqual([0, 1, 2]);
  });
});

describe('isPiece', () => {
  it('knows a piece by its bytes and its place', async () => {
    const bytes = Buffer.concat([Buffer.alloc(pieceBytes, 'a'), Buffer.from('b')]);
    const pieces = await digestPieces(toAsync([bytes]));
    expect(isPiece(pieces, 1, Buffer.from('b'))).toBe(true);
    expect(isPiece(pieces, 0, Buffer.from('b'))).toBe(false);
    expect(isPiece(pieces, 1, Buffer.from('c'))).toBe(false);
    expect(isPiece(pieces, 2, Buffer.from('b'))).toBe(false);
  });
});

describe('the pieces that are known', () => {
  it('are read once for all who ask at the same time, and later', async () => {
    const known = createKnownPieces();
    let readings = 0;
    const read = async () => {
      readings++;
      return Promise.resolve(piecesOf('a', 1));
    };
    await Promise.all([known.of('a', read), known.of('a', read)]);
    await known.of('a', read);
    expect(readings).toBe(1);
  });

  it('are read again after a reading that has failed', async () => {
    const known = createKnownPieces();
    await expect(known.of('a', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    expect((await known.of('a', () => Promise.resolve(piecesOf('a', 1)))).hash).toBe('a');
  });

  it('are forgotten of blobs that nobody asked of for longest, beyond so many', async () => {
    const known = createKnownPieces(4);
    const readings: string[] = [];
    const ask = (hash: string, count = 2) =>
      known.of(hash, () => {
        readings.push(hash);
        return Promise.resolve(piecesOf(hash, count));
      });
    for (const hash of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(hash);
    expect(readings).toEqual(['a', 'b', 'c', 'b']);
    await ask('large', 100);
    await ask('large', 100);
    expect(readings.filter((hash) => hash === 'large')).toHaveLength(1);
  });
});
