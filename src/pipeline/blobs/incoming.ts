import { createHash } from 'node:crypto';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Files } from '../../ports/files.js';
import type { Random } from '../../ports/random.js';
import { isDiskFull } from '../../wire/disk.js';
import { ServiceError } from '../../wire/error.js';
import type { BlobName, Blobs } from './blobs.js';

/** An upload on disk that is no blob yet. */
export interface Draft extends BlobName {
  readonly file: string;
}

export interface IncomingLimits {
  readonly maxBlobBytes: number;
  /** Nothing is taken in that would leave the disk less than this (docs/api.md §11.3). */
  readonly minFreeBytes: number;
}

/** The result of received bytes. `wrong`: they have another hash, and were deleted. */
export type Taken<R> =
  | { readonly status: 'whole'; readonly result: R }
  | { readonly status: 'wrong' }
  /** Another transfer of the same blob from the same source is going on. */
  | { readonly status: 'busy' };

/** A transfer that may go on where it stopped. */
export interface Transfer {
  readonly blob: BlobName;
  /** The source of the bytes: parts of different sources are stored separately, so that none can corrupt another's. */
  readonly source: string;
  /** The offset of `bytes`: the answer of `bytesHere`. */
  readonly start: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Bytes that are on their way to become blobs. */
export interface Incoming {
  /**
   * Takes in an upload to a file of its own, hashed on the way.
   *
   * @throws ServiceError body_too_large, disk_full; then nothing is left
   */
  draft(bytes: AsyncIterable<Uint8Array>): Promise<Draft>;

  /** Forgets a draft; one that has become a blob stays. */
  discard(draft: Draft): Promise<void>;

  /** How many bytes of a blob have come from a source and are not whole yet. */
  bytesHere(hash: string, source: string): Promise<number>;

  /** Forgets what has come of a blob from a source, since it came whole from elsewhere; not while it is being taken. */
  forget(hash: string, source: string): Promise<void>;

  /**
   * Goes on with a transfer, and keeps the blob when it is whole and has its hash: `commit` writes the row. Rejects
   * when the bytes end early or fail; what has come stays for the next attempt.
   */
  take<R>(transfer: Transfer, commit: () => Promise<R>): Promise<Taken<R>>;

  /** Why a blob of that size cannot be taken in now, or undefined. */
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
/** The directory of incomplete files: `<hash>.<source>`, and uploads under names of their own. */
export const incomingDirectory = 'incoming';
/** The source of what comes from the shared store; peers are named by the ids of their nodes. */
export const storeSource = 'store';
/** An upload does not tell its size, so the disk is looked at again after so many bytes. */
const bytesBetweenLooks = 64 * 1024 * 1024;

/** Creates the store of a node's incomplete blobs. */
export function createIncoming({ files, blobs, random, failpoint, limits }: IncomingParts): Incoming {
  const { maxBlobBytes, minFreeBytes } = { ...defaultLimits, ...limits };
  const underWay = new Set<string>();

  async function refusal(sizeBytes: number): Promise<ServiceError | undefined> {
    if (sizeBytes > maxBlobBytes) return new ServiceError('body_too_large', { max: maxBlobBytes });
    return (await files.freeBytes()) - sizeBytes < minFreeBytes ? diskFull(minFreeBytes) : undefined;
  }

  async function assertRoom(sizeBytes: number): Promise<void> {
    const refused = await refusal(sizeBytes);
    if (refused !== undefined) throw refused;
  }

  return {
    async draft(bytes) {
      const file = `${incomingDirectory}/${random.uuid()}`;
      const digest = createHash('sha256');
      let sizeBytes = 0;
      async function* hashed(): AsyncGenerator<Uint8Array> {
        let nextLook = 0;
        for await (const chunk of bytes) {
          sizeBytes += chunk.length;
          if (sizeBytes > maxBlobBytes) throw new ServiceError('body_too_large', { max: maxBlobBytes });
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

/** Adds the bytes of a transfer to what has come before, and compares the whole with its hash. */
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

/** A transfer that stops leaves what has come on disk, for the next attempt and the next life. */
async function closing<R>(files: Files, file: string, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    // A file that is not surely on disk is not continued.
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
