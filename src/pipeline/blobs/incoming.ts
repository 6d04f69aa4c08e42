import { createHash } from 'node:crypto';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Files } from '../../ports/files.js';
import type { Random } from '../../ports/random.js';
import { isDiskFull } from '../../wire/errors/disk.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { BlobName, Blobs } from './blobs.js';

/** An upload that is on disk but not a blob yet. */
export interface StagedBlob extends BlobName {
  readonly file: string;
}

export interface IncomingLimits {
  readonly maxBlobBytes: number;
  /** Free space below which nothing is accepted (docs/api.md §11.3). */
  readonly minFreeBytes: number;
}

/** The result of a transfer; `wrong`: the bytes had another hash and were deleted. */
export type Taken<R> =
  | { readonly status: 'whole'; readonly result: R }
  | { readonly status: 'wrong' }
  /** Another transfer of the same blob from the same source is in progress, or was since `bytesHere`. */
  | { readonly status: 'busy' };

export interface Transfer {
  readonly blob: BlobName;
  /**
   * Id of a peer's node, or a `storeSource`. Each source has its own partial file, so that none can corrupt another's.
   */
  readonly source: string;
  /** The offset of `bytes`, as returned by `bytesHere`. */
  readonly start: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface Incoming {
  /**
   * Writes an upload to a file of its own and hashes it.
   *
   * @throws ServiceError blob_too_large, disk_full, no_space; the file is removed
   */
  stage(bytes: AsyncIterable<Uint8Array>): Promise<StagedBlob>;

  /** Removes the file of a staged blob, unless it has become a blob. */
  discard(staged: StagedBlob): Promise<void>;

  /** Bytes received so far of an incomplete blob from a source. */
  bytesHere(hash: string, source: string): Promise<number>;

  /** Removes the partial files of a blob that is here, except those of transfers in progress. */
  forget(hash: string): Promise<void>;

  /**
   * Resumes a transfer; if the blob is complete and has its hash, stores it and calls `commit` to write the row.
   * Rejects if the bytes end early or fail, and keeps the received bytes for the next attempt.
   *
   * @throws ServiceError disk_full, no_space, while bytes are received
   */
  take<R>(transfer: Transfer, commit: () => Promise<R>): Promise<Taken<R>>;

  /** Returns why a blob of this size cannot be accepted now, or undefined. */
  refusal(sizeBytes: number): Promise<ServiceError | undefined>;
}

export interface IncomingParts {
  readonly files: Files;
  readonly blobs: Blobs;
  readonly random: Random;
  readonly failpoint: Failpoint;
  readonly limits?: Partial<IncomingLimits> | undefined;
}

/** Thrown when the bytes of a transfer end without an error before all have arrived. */
export class EndedEarly extends Error {}

const gibibyte = 1_073_741_824;
const defaultLimits: IncomingLimits = { maxBlobBytes: 64 * gibibyte, minFreeBytes: gibibyte / 2 };
/** Directory of incomplete files: `<hash>.<source>`, or a uuid for uploads. */
export const incomingDirectory = 'incoming';
/**
 * Other programs use the disk too, and the size of an upload is unknown, so free space is checked again after this many
 * bytes.
 */
const bytesBetweenLooks = 64 * 1024 * 1024;

export function createIncoming({ files, blobs, random, failpoint, limits }: IncomingParts): Incoming {
  const { maxBlobBytes, minFreeBytes } = { ...defaultLimits, ...limits };
  const underWay = new Set<string>();

  async function refusal(sizeBytes: number): Promise<ServiceError | undefined> {
    if (sizeBytes > maxBlobBytes) return new ServiceError('blob_too_large', { max: maxBlobBytes });
    return (await files.freeBytes()) - sizeBytes < minFreeBytes ? diskFull(minFreeBytes) : undefined;
  }

  async function* whileRoom(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let untilLook = 0;
    for await (const chunk of bytes) {
      if (untilLook <= 0) {
        const refused = await refusal(0);
        if (refused !== undefined) throw refused;
        untilLook = bytesBetweenLooks;
      }
      untilLook -= chunk.length;
      yield chunk;
    }
  }

  async function sizeOf(file: string): Promise<number> {
    return (await files.size(file)) ?? 0;
  }

  async function forget(hash: string): Promise<void> {
    const names = (await files.list(incomingDirectory)).filter((name) => sourceOf(name)?.hash === hash);
    const left = names.map((name) => `${incomingDirectory}/${name}`).filter((file) => !underWay.has(file));
    for (const file of left) await files.remove(file);
  }

  return {
    stage: createStage({ files, random, failpoint, maxBlobBytes, whileRoom }),

    discard: ({ file }) => files.remove(file),

    bytesHere: (hash, source) => sizeOf(fileOf(hash, source)),

    forget,

    async take(transfer, commit) {
      const file = fileOf(transfer.blob.hash, transfer.source);
      if (underWay.has(file)) return { status: 'busy' };
      underWay.add(file);
      const bytes = whileRoom(transfer.bytes);
      try {
        if (transfer.start > 0 && (await sizeOf(file)) !== transfer.start) return { status: 'busy' };
        const status = await closing(files, file, () => receive(files, { ...transfer, bytes }, file));
        if (status === 'wrong') await files.remove(file);
        if (status === 'wrong') return { status };
        await failpoint.reach('blob.after-temp');
        const result = await blobs.keep(file, transfer.blob, commit);
        await forget(transfer.blob.hash);
        return { status, result };
      } finally {
        underWay.delete(file);
      }
    },

    refusal,
  };
}

interface StageParts extends Pick<IncomingParts, 'files' | 'random' | 'failpoint'> {
  readonly maxBlobBytes: number;
  readonly whileRoom: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

function createStage({ files, random, failpoint, maxBlobBytes, whileRoom }: StageParts): Incoming['stage'] {
  return async (bytes) => {
    const file = `${incomingDirectory}/${random.uuid()}`;
    const digest = createHash('sha256');
    let sizeBytes = 0;
    async function* hashed(): AsyncGenerator<Uint8Array> {
      for await (const chunk of whileRoom(bytes)) {
        sizeBytes += chunk.length;
        if (sizeBytes > maxBlobBytes) throw new ServiceError('blob_too_large', { max: maxBlobBytes });
        digest.update(chunk);
        yield chunk;
      }
    }
    try {
      await files.write(file, hashed());
      await failpoint.reach('blob.after-temp');
      return { file, sizeBytes, hash: digest.digest('hex') };
    } catch (error) {
      await files.remove(file);
      throw asTold(error);
    }
  };
}

/** Appends the bytes of a transfer to the partial file and checks the hash of the whole. */
async function receive(files: Files, { blob, start, bytes }: Transfer, file: string): Promise<'whole' | 'wrong'> {
  const digest = createHash('sha256');
  let sizeBytes = 0;
  const count = (chunk: Uint8Array): void => {
    sizeBytes += chunk.length;
    digest.update(chunk);
  };
  if (start === 0) await files.write(file, []);
  else for await (const chunk of files.read(file)) count(chunk);
  for await (const chunk of bytes) {
    count(chunk);
    if (sizeBytes > blob.sizeBytes) return 'wrong';
    await files.append(file, chunk);
  }
  if (sizeBytes < blob.sizeBytes) throw new EndedEarly(`The bytes ended at ${sizeBytes} of ${blob.sizeBytes}.`);
  return digest.digest('hex') === blob.hash ? 'whole' : 'wrong';
}

/** Syncs the partial file when a transfer stops, so that the next attempt can resume it. */
async function closing<R>(files: Files, file: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    // A file that cannot be synced must not be resumed.
    await files.sync(file).catch(() => files.remove(file));
    throw asTold(error);
  }
}

/**
 * The shared store as a source of a blob, by a reference and size that some item has. Anyone may write any, so a
 * reference that leads nowhere or to other bytes must not affect downloads from others.
 */
export function storeSource(reference: string, sizeBytes: number): string {
  return `store-${createHash('sha256').update(`${sizeBytes} ${reference}`).digest('hex')}`;
}

/** Returns the blob and source of a partial file in `incomingDirectory`; undefined for an upload. */
export function sourceOf(name: string): { readonly hash: string; readonly source: string } | undefined {
  const [hash = '', source] = name.split('.');
  return source === undefined ? undefined : { hash, source };
}

function fileOf(hash: string, source: string): string {
  return `${incomingDirectory}/${hash}.${source}`;
}

function diskFull(minFreeBytes: number): ServiceError {
  return new ServiceError('disk_full', { min: minFreeBytes });
}

/** Returns the ServiceError for a full disk; any other error unchanged. */
function asTold(error: unknown): unknown {
  return isDiskFull(error) ? new ServiceError('no_space') : error;
}
