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

/** Returns `count` pieces of a blob with this hash. */
function piecesOf(hash: string, count: number): Pieces {
  return { hash, digests: new Uint8Array(32 * count) };
}

describe('digestPieces', () => {
  it('hashes the whole and each piece, for any chunks', async () => {
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

  it('returns no piece for no bytes, and one piece for exactly one piece', async () => {
    const lengthOf = async (sizeBytes: number) =>
      (await digestPieces(toAsync([new Uint8Array(sizeBytes)]))).digests.length / 32;
    expect([await lengthOf(0), await lengthOf(pieceBytes), await lengthOf(pieceBytes + 1)]).toEqual([0, 1, 2]);
  });
});

describe('isPiece', () => {
  it('matches a piece by its bytes and its index', async () => {
    const bytes = Buffer.concat([Buffer.alloc(pieceBytes, 'a'), Buffer.from('b')]);
    const pieces = await digestPieces(toAsync([bytes]));
    expect(isPiece(pieces, 1, Buffer.from('b'))).toBe(true);
    expect(isPiece(pieces, 0, Buffer.from('b'))).toBe(false);
    expect(isPiece(pieces, 1, Buffer.from('c'))).toBe(false);
    expect(isPiece(pieces, 2, Buffer.from('b'))).toBe(false);
  });
});

describe('known pieces', () => {
  it('are read once for concurrent and later calls', async () => {
    const known = createKnownPieces();
    let reads = 0;
    const read = async () => {
      reads++;
      return Promise.resolve(piecesOf('a', 1));
    };
    await Promise.all([known.of('a', read), known.of('a', read)]);
    await known.of('a', read);
    expect(reads).toBe(1);
  });

  it('are read again after a failed read', async () => {
    const known = createKnownPieces();
    await expect(known.of('a', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
    expect((await known.of('a', () => Promise.resolve(piecesOf('a', 1)))).hash).toBe('a');
  });

  it('are dropped beyond the limit, least recently used first, but not for the blob in use', async () => {
    const known = createKnownPieces(4);
    const reads: string[] = [];
    const piecesFor = (hash: string, count = 2) =>
      known.of(hash, () => {
        reads.push(hash);
        return Promise.resolve(piecesOf(hash, count));
      });
    for (const hash of ['a', 'b', 'a', 'c', 'a', 'b']) await piecesFor(hash);
    expect(reads).toEqual(['a', 'b', 'c', 'b']);
    await piecesFor('large', 100);
    await piecesFor('large', 100);
    expect(reads.filter((hash) => hash === 'large')).toHaveLength(1);
  });
});
