import { createHash } from 'node:crypto';
import { systemNamespace } from '../../domain/identity.js';
import type { Clock } from '../../ports/clock.js';
import { type Database, everyNamespace, type Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import { FileNotFound, type Files } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import { among, equal, oldestFirst } from '../../wire/query.js';
import { downloadAgain } from './downloads.js';
import { createKnownPieces, digestPieces, isPiece, type KnownPieces, pieceBytes } from './pieces.js';
import type { Bell, Bus } from '../bus.js';

/** A blob by what it is known by everywhere. */
export interface BlobName {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** Positions in bytes: from `start` up to, not including, `end`. */
export interface BlobRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The blobs on this node's disk, each once under its hash, with a row as soon as it is whole and synced
 * (docs/api.md §11.3).
 */
export interface Blobs {
  find(hash: string): Promise<BlobName | undefined>;

  /**
   * Makes a whole file the blob of its hash: sync, rename, then `commit`, which writes the row. The file must have that
   * hash.
   */
  keep<R>(file: string, blob: BlobName, commit: () => Promise<R>): Promise<R>;

  /**
   * The bytes of a blob, or of a part of it. Of the whole, the last of them are given only after the hash was found
   * right, so damage shows as an end that comes too early; of a part, each piece that it touches is checked before, by
   * what the first reading of the whole has shown. What is damaged is forgotten, so that it is fetched anew where that
   * is possible, and rejects with BlobDamaged.
   */
  read(blob: BlobName, range?: BlobRange): AsyncIterable<Uint8Array>;

  /** Runs a unit that may take the row of a blob away, and removes the file if it did: nobody needs it any more. */
  remove<R>(hash: string, unit: (database: Unit) => Promise<R>): Promise<R>;
}

export interface BlobParts {
  readonly database: Database;
  readonly files: Files;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly bus: Bus;
  readonly failpoint: Failpoint;
}

/** Thrown when the file under a hash has another hash. */
export class BlobDamaged extends Error {
  constructor(hash: string, options?: ErrorOptions) {
    super(`The stored blob ${hash} is damaged or gone.`, options);
    this.name = 'BlobDamaged';
  }
}

/** The directory of the files of blobs. */
export const blobDirectory = 'blobs';

/** The blobs of one node. */
export function createBlobs({ database, files, clock, random, log, bus, failpoint }: BlobParts): Blobs {
  const exclusively = createExclusion();
  const known = createKnownPieces();

  async function drop(hash: string): Promise<void> {
    log.error('A blob on disk is damaged or gone', { blob: hash });
    const bells = await remove(hash, async (unit) => {
      await unit.remove('blobs', ofHash(hash));
      return downloadAgain(unit, hash, { created: clock.now(), random });
    });
    bus.ring(...bells);
  }

  function remove<R>(hash: string, unit: (database: Unit) => Promise<R>): Promise<R> {
    return exclusively(hash, async () => {
      const result = await database.transaction(unit);
      if ((await database.count('blobs', ofHash(hash))) === 0) await files.remove(blobFile(hash));
      return result;
    });
  }

  /** A file without a row is nothing; one that has a row already is as good as it was. */
  async function undone(hash: string, error: unknown): Promise<never> {
    if ((await database.count('blobs', ofHash(hash))) === 0) await files.remove(blobFile(hash));
    throw error;
  }

  return {
    async find(hash) {
      const [row] = await database.find('blobs', { ...ofHash(hash), sort: oldestFirst, limit: 1 });
      return row;
    },

    keep(file, blob, commit) {
      return exclusively(blob.hash, async () => {
        await files.sync(file);
        await failpoint.reach('blob.after-fsync');
        await files.rename(file, blobFile(blob.hash));
        await failpoint.reach('blob.after-rename');
        const result = await commit().catch((error: unknown) => undone(blob.hash, error));
        await failpoint.reach('blob.after-row');
        return result;
      });
    },

    async *read(blob, range) {
      const isPart = range !== undefined && (range.start > 0 || range.end < blob.sizeBytes);
      try {
        yield* isPart ? readPart(files, known, { hash: blob.hash, range }) : readWhole(files, blob.hash);
      } catch (cause) {
        if (!(cause instanceof BlobDamaged) && !(cause instanceof FileNotFound)) throw cause;
        await drop(blob.hash);
        throw cause instanceof BlobDamaged ? cause : new BlobDamaged(blob.hash, { cause });
      }
    },

    remove,
  };
}

/** All bytes, the last chunk only once the hash is right. */
async function* readWhole(files: Files, hash: string): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let last: Uint8Array | undefined;
  for await (const chunk of files.read(blobFile(hash))) {
    digest.update(chunk);
    if (last !== undefined) yield last;
    last = chunk;
  }
  if (digest.digest('hex') !== hash) throw new BlobDamaged(hash);
  if (last !== undefined) yield last;
}

/**
 * A part, of which no byte is given before the piece in which it lies was found right. The pieces are known once the
 * whole was read and had its hash, so only the first part of a blob since the start costs as much as the whole.
 */
async function* readPart(
  files: Files,
  known: KnownPieces,
  { hash, range: { start, end } }: { readonly hash: string; readonly range: BlobRange },
): AsyncGenerator<Uint8Array> {
  const pieces = await known.of(hash, async () => {
    const found = await digestPieces(files.read(blobFile(hash)));
    if (found.hash !== hash) throw new BlobDamaged(hash);
    return found;
  });
  for (let index = Math.floor(start / pieceBytes); index * pieceBytes < end; index++) {
    const from = index * pieceBytes;
    const piece = await joined(files.read(blobFile(hash), { start: from, end: from + pieceBytes }));
    if (!isPiece(pieces, index, piece)) throw new BlobDamaged(hash);
    yield piece.subarray(Math.max(0, start - from), end - from);
  }
}

async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Records that a blob is on disk, and that what waits for it is to be looked at again, in the unit of whoever brought
 * it. Resolves with the bells to ring.
 */
export async function blobArrived(
  unit: Unit,
  { hash, sizeBytes }: BlobName,
  created: string,
): Promise<readonly Bell[]> {
  await unit.put('blobs', [{ namespace: systemNamespace, hash, sizeBytes, created }]);
  await settleClaims(unit, hash);
  const where = [equal('on', `blob:${hash}`)];
  const waits = await unit.find('waits', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxWaits });
  await unit.put(
    'due',
    waits.map(({ context }) => ({ namespace: systemNamespace, context })),
  );
  return waits.length > 0 ? ['due'] : [];
}

/** More heads of contexts than a node has. */
const maxWaits = 1_000_000;
const maxClaims = 10_000;

/** A claim of what is only a candidate stays: it keeps the blob from being deleted until the batch has come to rest. */
async function settleClaims(unit: Unit, hash: string): Promise<void> {
  const where = [equal('blob', hash)];
  const claims = await unit.find('claims', { namespace: everyNamespace, where, sort: oldestFirst, limit: maxClaims });
  if (claims.length === 0) return;
  const sources = claims.map(({ source }) => source);
  const candidates = await unit.find('candidates', {
    namespace: everyNamespace,
    where: [among('hash', sources)],
    sort: oldestFirst,
    limit: maxClaims,
  });
  const waiting = new Set(candidates.map((candidate) => candidate.hash));
  const settled = claims.filter(({ source }) => !waiting.has(source)).map(({ sequence }) => sequence);
  if (settled.length === 0) return;
  await unit.remove('claims', { namespace: everyNamespace, where: [among('sequence', settled)] });
}

/** The file of a blob. */
export function blobFile(hash: string): string {
  return `${blobDirectory}/${hash}`;
}

function ofHash(hash: string) {
  return { namespace: systemNamespace, where: [equal('hash', hash)] };
}

/** Work on one hash follows one another, on different ones it is free. */
function createExclusion(): <R>(hash: string, work: () => Promise<R>) => Promise<R> {
  const last = new Map<string, Promise<unknown>>();
  return async (hash, work) => {
    const before = last.get(hash);
    // A failure before is told to whoever asked for that work.
    const mine = (before ?? Promise.resolve()).then(work, work);
    last.set(hash, mine);
    try {
      return await mine;
    } finally {
      if (last.get(hash) === mine) last.delete(hash);
    }
  };
}
