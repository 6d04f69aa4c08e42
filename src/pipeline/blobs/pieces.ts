import { createHash } from 'node:crypto';

/** The unit of verification: at least this much is read for any part. */
export const pieceBytes = 262_144;
const digestBytes = 32;
/** Enough for 64 GiB of blobs, in 8 MiB of memory. */
const maxPieces = 262_144;

/** The SHA-256 of a blob, and the concatenated digests of its pieces. */
export interface Pieces {
  readonly hash: string;
  readonly digests: Uint8Array;
}

/** Hashes bytes as a whole and in pieces; the last piece may be shorter. */
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

export function isPiece({ digests }: Pieces, index: number, bytes: Uint8Array): boolean {
  const expected = digests.subarray(index * digestBytes, (index + 1) * digestBytes);
  return createHash('sha256').update(bytes).digest().equals(expected);
}

/** A cache of digests. They follow from the hash, so they never become stale. */
export interface KnownPieces {
  /** Returns the digests of a blob, calling `read` once for concurrent callers; failures are not cached. */
  of(hash: string, read: () => Promise<Pieces>): Promise<Pieces>;
}

interface Reading {
  readonly pieces: Promise<Pieces>;
  /** 0 until the digests are read. */
  count: number;
}

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
      // Moves the entry to the end of the eviction order.
      known.delete(hash);
      known.set(hash, reading);
      return reading.pieces;
    },
  };
}
