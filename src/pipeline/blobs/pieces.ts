import { createHash } from 'node:crypto';

/** The unit in which a part of a blob is verified: this much is read for the smallest part. */
export const pieceBytes = 262_144;
const digestBytes = 32;
/** Digests of blobs of 64 GiB together, in 8 MiB. */
const maxPieces = 262_144;

/** The bytes of a blob by their hash, and the SHA-256 of each of its pieces, one behind the other. */
export interface Pieces {
  readonly hash: string;
  readonly digests: Uint8Array;
}

/** Hashes bytes as a whole and piece by piece; the last piece is what is left. */
export async function digestPieces(bytes: AsyncIterable<Uint8Array>): Promise<Pieces> {
  const whole = createHash('sha256');
  const digests: Uint8Array[] = [];
  let piece = createHash('sha256');
  let lacks = pieceBytes;
  for await (const chunk of bytes) {
    whole.update(chunk);
    for (let rest = chunk; rest.length > 0;) {
      const next = rest.subarray(0, lacks);
      piece.update(next);
      rest = rest.subarray(next.length);
      lacks -= next.length;
      if (lacks > 0) continue;
      digests.push(piece.digest());
      [piece, lacks] = [createHash('sha256'), pieceBytes];
    }
  }
  if (lacks < pieceBytes) digests.push(piece.digest());
  return { hash: whole.digest('hex'), digests: Buffer.concat(digests) };
}

/** Whether bytes are the piece of this number. */
export function isPiece({ digests }: Pieces, index: number, bytes: Uint8Array): boolean {
  const expected = digests.subarray(index * digestBytes, (index + 1) * digestBytes);
  return createHash('sha256').update(bytes).digest().equals(expected);
}

/** The pieces of the blobs that parts were asked of last. They follow from the hash, so they are right for ever. */
export interface KnownPieces {
  /** Those of a blob, read once for all who ask at the same time; a reading that failed is not kept. */
  of(hash: string, read: () => Promise<Pieces>): Promise<Pieces>;
}

interface Reading {
  readonly pieces: Promise<Pieces>;
  /** 0 until they are there. */
  count: number;
}

/** A memory of pieces that forgets the blobs that nobody asked of for longest. */
export function createKnownPieces(max = maxPieces): KnownPieces {
  const known = new Map<string, Reading>();
  let total = 0;

  function learn(hash: string, reading: Reading, { digests }: Pieces): void {
    if (known.get(hash) !== reading) return;
    reading.count = digests.length / digestBytes;
    total += reading.count;
    for (const [other, { count }] of known) {
      if (total <= max || other === hash) break;
      total -= count;
      known.delete(other);
    }
  }

  function start(hash: string, read: () => Promise<Pieces>): Reading {
    const reading = { pieces: read(), count: 0 };
    reading.pieces.then(
      (pieces) => {
        learn(hash, reading, pieces);
      },
      () => {
        if (known.get(hash) === reading) known.delete(hash);
      },
    );
    return reading;
  }

  return {
    of(hash, read) {
      const reading = known.get(hash) ?? start(hash, read);
      // The entry that was used last goes to the end.
      known.delete(hash);
      known.set(hash, reading);
      return reading.pieces;
    },
  };
}
