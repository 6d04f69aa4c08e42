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
  /** Another transfer of the same blob from the same source is in progress. */
  | { readonly status: 'busy' };

export interface Transfer {
  readonly blob: BlobName;
  /** Partial files of different sources are kept apart, so that none can corrupt another's. */
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

  /** Removes the partial file of a blob that came from elsewhere, unless a transfer is in progress. */
  forget(hash: string, source: string): Promise<void>;

  /**
   * Resumes a transfer; if the blob is complete and has its hash, stores it and calls `commit` to write the row.
   * Rejects if the bytes end early or fail, and keeps what has come for the next attempt.
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

const gibibyte = 1_073_741_824;
const defaultLimits: IncomingLimits = { maxBlobBytes: 64 * gibibyte, minFreeBytes: gibibyte / 2 };
/** Directory of incomplete files: `<hash>.<source>`, or a uuid for uploads. */
export const incomingDirectory = 'incoming';
/** The shared store as a source; peers are named by their node ids. */
export const storeSource = 'store';
/** The size of an upload is unknown, so free space is checked again after this much. */
const bytesBetweenLooks = 64 * 1024 * 1024;

export function createIncoming({ files, blobs, random, failpoint, limits }: IncomingParts): Incoming {
  const { maxBlobBytes, minFreeBytes } = { ...defaultLimits, ...limits };
  const underWay = new Set<string>();

  async function refusal(sizeBytes: number): Promise<ServiceError | undefined> {
    if (sizeBytes > maxBlobBytes) return new ServiceError('blob_too_large', { max: maxBlobBytes });
    return (await files.freeBytes()) - sizeBytes < minFreeBytes ? diskFull(minFreeBytes) : undefined;
  }

  async function assertRoom(sizeBytes: number): Promise<void> {
    const refused = await refusal(sizeBytes);
    if (refused !== undefined) throw refused;
  }

  return {
    async stage(bytes) {
      const file = `${incomingDirectory}/${random.uuid()}`;
      const digest = createHash('sha256');
      let sizeBytes = 0;
      async function* hashed(): AsyncGenerator<Uint8Array> {
        let nextLook = 0;
        for await (const chunk of bytes) {
          sizeBytes += chunk.length;
          if (sizeBytes > maxBlobBytes) throw new ServiceError('blob_too_large', { max: maxBlobBytes });
          if (sizeBytes > nextLook) await assertRoom(0);
          if (sizeBytes > nextLook) nextLook = sizeBytes + bytesBetweenLooks;
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
        throw isDiskFull(error) ? new ServiceError('no_space') : error;
      }
    },

    discard: ({ file }) => files.remove(file),

    bytesHere: async (hash, source) => (await files.size(fileOf(hash, source))) ?? 0,

    async forget(hash, source) {
      const file = fileOf(hash, source);
      if (!underWay.has(file)) await files.remove(file);
    },

    async take(transfer, commit) {
      const file = fileOf(transfer.blob.hash, transfer.source);
      if (underWay.has(file)) return { status: 'busy' };
      underWay.add(file);
      try {
        const status = await closing(files, file, () => receive(files, transfer, file));
        if (status === 'wrong') await files.remove(file);
        if (status === 'wrong') return { status };
        await failpoint.reach('blob.after-temp');
        return { status, result: await blobs.keep(file, transfer.blob, commit) };
      } finally {
        underWay.delete(file);
      }
    },

    refusal,
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
  if (sizeBytes !== start) throw new Error(`The transfer begins at ${start}, and ${sizeBytes} bytes are here.`);
  for await (const chunk of bytes) {
    count(chunk);
    if (sizeBytes > blob.sizeBytes) return 'wrong';
    await files.append(file, chunk);
  }
  if (sizeBytes < blob.sizeBytes) throw new Error(`The bytes ended at ${sizeBytes} of ${blob.sizeBytes}.`);
  return digest.digest('hex') === blob.hash ? 'whole' : 'wrong';
}

/** Syncs the partial file when a transfer stops, so that the next attempt can resume it. */
async function closing<R>(files: Files, file: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    // A file that cannot be synced must not be resumed.
    await files.sync(file).catch(() => files.remove(file));
    throw error;
  }
}

function fileOf(hash: string, source: string): string {
  return `${incomingDirectory}/${hash}.${source}`;
}

function diskFull(minFreeBytes: number): ServiceError {
  return new ServiceError('disk_full', { min: minFreeBytes });
}
