import { createHash } from 'node:crypto';
import { systemNamespace } from '../../domain/network/identity.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import { FileNotFound, type Files } from '../../ports/files.js';
import type { Log } from '../../ports/log.js';
import type { Random } from '../../ports/random.js';
import { findWaiting, markDue } from '../state/messages/contexts.js';
import { downloadAgain } from './downloads.js';
import { createKnownPieces, digestPieces, isPiece, type KnownPieces, pieceBytes } from './pieces.js';
import type { Bell, Bus } from '../bus.js';

export interface BlobName {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly sizeBytes: number;
}

/** A byte range; `end` is exclusive. */
export interface BlobRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The blobs on this node's disk: one file per hash, and a row once the file is complete and synced (docs/api.md §11.3).
 */
export interface Blobs {
  find(hash: string): Promise<BlobName | undefined>;

  /**
   * Makes a complete file the blob of its hash: sync, rename, then `commit`, which writes the row. The caller must have
   * checked the hash.
   */
  keep<R>(file: string, blob: BlobName, commit: () => Promise<R>): Promise<R>;

  /**
   * Reads a blob or a part of it. For a whole blob, the last chunk is returned only after the hash was checked, so
   * damage shows as an early end. For a part, each piece that it touches is checked first, by digests from one full
   * read. A damaged blob is removed and, if possible, downloaded again; the read rejects with BlobDamaged.
   */
  read(blob: BlobName, range?: BlobRange): AsyncIterable<Uint8Array>;

  /** Runs a unit that may delete the row of a blob, and deletes the file if it did. */
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

/** Thrown when a blob's file is missing or has another hash. */
export class BlobDamaged extends Error {
  constructor(hash: string, options?: ErrorOptions) {
    super(`The stored blob ${hash} is damaged or gone.`, options);
    this.name = 'BlobDamaged';
  }
}

export const blobDirectory = 'blobs';

export function createBlobs({ database, files, clock, random, log, bus, failpoint }: BlobParts): Blobs {
  const exclusively = createExclusion();
  const known = createKnownPieces();

  async function drop(hash: string): Promise<void> {
    log.error('A blob on disk is damaged or missing', { blob: hash });
    const bells = await remove(hash, async (unit) => {
      await unit.remove('blobs', { hash });
      return downloadAgain(unit, hash, { created: clock.now(), random });
    });
    bus.ring(...bells);
  }

  function remove<R>(hash: string, unit: (database: Unit) => Promise<R>): Promise<R> {
    return exclusively(hash, async () => {
      const result = await database.transaction(unit);
      if (!(await database.has('blobs', { hash }))) await files.remove(blobFile(hash));
      return result;
    });
  }

  /** Removes the file of a failed commit, unless an earlier row refers to it. */
  async function undone(hash: string, error: unknown): Promise<never> {
    if (!(await database.has('blobs', { hash }))) await files.remove(blobFile(hash));
    throw error;
  }

  return {
    find: (hash) => database.first('blobs', { hash }),

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

/** Yields all bytes, the last chunk only once the hash is verified. */
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
 * Yields a part; each piece is verified before any of its bytes. The digests come from a full read with the right hash,
 * so only the first part read of a blob since start costs as much as the whole.
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
 * Records that a blob is on disk and marks the contexts that wait for it as due, in the caller's unit. Returns the
 * bells to ring.
 */
export async function blobArrived(
  unit: Unit,
  { hash, sizeBytes }: BlobName,
  created: string,
): Promise<readonly Bell[]> {
  await unit.put('blobs', [{ namespace: systemNamespace, hash, sizeBytes, created }]);
  await settleClaims(unit, hash);
  const waiting = await findWaiting(unit, [`blob:${hash}`]);
  await markDue(unit, waiting);
  return waiting.size > 0 ? ['due'] : [];
}

const maxClaims = 10_000;

/**
 * Removes the claims for a blob that is here. Claims of candidates stay, so that the blob is not deleted before the
 * candidate is decided.
 */
async function settleClaims(unit: Unit, hash: string): Promise<void> {
  const claims = await unit.rows('claims', { blob: hash }, { limit: maxClaims });
  if (claims.length === 0) return;
  const sources = claims.map(({ source }) => source);
  const candidates = await unit.rows('candidates', { hash: sources }, { limit: maxClaims });
  const waiting = new Set(candidates.map((candidate) => candidate.hash));
  const settled = claims.filter(({ source }) => !waiting.has(source)).map(({ sequence }) => sequence);
  if (settled.length === 0) return;
  await unit.remove('claims', { sequence: settled });
}

export function blobFile(hash: string): string {
  return `${blobDirectory}/${hash}`;
}

/** Serialises work on the same hash. */
function createExclusion(): <R>(hash: string, work: () => Promise<R>) => Promise<R> {
  const last = new Map<string, Promise<unknown>>();
  return async (hash, work) => {
    const before = last.get(hash);
    // A failure is reported to the caller of that work only.
    const mine = (before ?? Promise.resolve()).then(work, work);
    last.set(hash, mine);
    try {
      return await mine;
    } finally {
      if (last.get(hash) === mine) last.delete(hash);
    }
  };
}
