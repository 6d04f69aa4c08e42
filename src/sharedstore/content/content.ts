import type { Clock } from '../../ports/clock.js';
import { FileNotFound, type Files } from '../../ports/files.js';
import { cidOf } from './cid.js';
import { collected, inLeaves } from './leaves.js';
import { unpack } from './packing.js';
import { createRecentContents } from './recent.js';
import { digestBytes, leafBytes, leafCount, leafDigest, rootOf } from './tree.js';

/** A stored file whose leaf digests are verified to belong to its CID. */
export interface Stored {
  readonly cid: string;
  readonly sizeBytes: number;
  /**
   * Reads the bytes from `start` up to, not including, `end`. Every leaf is compared with its digest before any of its
   * bytes is returned; a mismatch ends the reading with `DamagedContent`.
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** The leaves of a draft. */
export interface DraftLeaves {
  /** The digests of all leaves, in order. */
  readonly digests: Uint8Array;
  /** The only leaf; undefined if there are several. */
  readonly only: Uint8Array | undefined;
}

export interface Content {
  /**
   * Moves a complete draft to the file of its CID, durably. It replaces an existing file, so adding content again
   * repairs damage. A draft of one leaf may be packed.
   */
  keep(draft: string, cid: string, leaves: DraftLeaves): Promise<void>;

  /** Finds the file of a root digest. Rejects with `DamagedContent` if the stored data does not match the digest. */
  find(digest: Buffer): Promise<Stored | undefined>;

  /** Removes the drafts of an earlier process. */
  removeDrafts(): Promise<void>;
}

/** The directory of drafts. It is separate, so that an incomplete draft is never taken for content. */
export const draftDirectory = 'drafts';

/** The advice for damaged content. */
export const contentRemedy = 'Add the same file again to repair it.';

/** The data stored under a CID does not have that CID. */
export class DamagedContent extends Error {
  constructor(
    readonly cid: string,
    options?: ErrorOptions,
  ) {
    super(`The stored content ${cid} is damaged. ${contentRemedy}`, options);
    this.name = 'DamagedContent';
  }
}

/**
 * Creates the file storage: each file once, under its CID, with its leaf digests in a second file if it has several
 * leaves. The digests must hash to the CID and the bytes to the digests, so damage of either is found when reading,
 * even for a range. A file of one leaf may be compressed: its CID is that of the stored bytes or of the decompressed
 * ones. Recently added files of one leaf are also in memory.
 */
export function createContent({ files, clock }: { readonly files: Files; readonly clock: Clock }): Content {
  const recent = createRecentContents(clock);

  async function leafDigestsOf(cid: string, digest: Buffer, sizeBytes: number): Promise<Buffer> {
    const leafDigests = await readWhole(files, leavesName(cid));
    const isComplete = leafDigests?.length === leafCount(sizeBytes) * digestBytes;
    if (!isComplete || !rootOf(leafDigests, sizeBytes).digest.equals(digest)) throw new DamagedContent(cid);
    return leafDigests;
  }

  return {
    async keep(draft, cid, { digests, only }) {
      const hasLeaves = only === undefined;
      const leavesDraft = `${draft}-leaves`;
      if (hasLeaves) await files.write(leavesDraft, [digests]);
      await Promise.all([files.syncContent(draft), hasLeaves ? files.syncContent(leavesDraft) : undefined]);
      if (hasLeaves) await files.rename(leavesDraft, leavesName(cid));
      await files.rename(draft, contentName(cid));
      // A copy, since the bytes may be a view of a larger buffer.
      if (only !== undefined) recent.keep(cid, Buffer.from(only));
    },

    async find(digest) {
      const cid = cidOf(digest);
      const added = recent.find(cid);
      if (added !== undefined) return storedLeaf(cid, added);
      const sizeBytes = await files.size(contentName(cid));
      if (sizeBytes === undefined) return undefined;
      if (leafCount(sizeBytes) === 1) return findLeaf(files, cid, digest);
      const leafDigests = await leafDigestsOf(cid, digest, sizeBytes);
      return { cid, sizeBytes, read: (start, end) => readVerified(files, cid, { leafDigests, sizeBytes, start, end }) };
    },

    async removeDrafts() {
      for (const name of await files.list(draftDirectory)) await files.remove(`${draftDirectory}/${name}`);
    },
  };
}

function contentName(cid: string): string {
  return `content/${cid}`;
}

function leavesName(cid: string): string {
  return `leaves/${cid}`;
}

async function readWhole(files: Files, name: string): Promise<Buffer | undefined> {
  try {
    return await collected(files.read(name));
  } catch (error) {
    if (error instanceof FileNotFound) return undefined;
    throw error;
  }
}

/** Reads a file of one leaf, whose digest is the root: its bytes are compared with the CID. */
async function findLeaf(files: Files, cid: string, digest: Buffer): Promise<Stored | undefined> {
  const kept = await readWhole(files, contentName(cid));
  if (kept === undefined) return undefined;
  return storedLeaf(cid, leafDigest(kept).equals(digest) ? kept : await unpackLeaf(kept, cid, digest));
}

function storedLeaf(cid: string, leaf: Uint8Array): Stored {
  return {
    cid,
    sizeBytes: leaf.length,
    async *read(start, end) {
      if (start < end) yield leaf.subarray(start, end);
    },
  };
}

async function unpackLeaf(kept: Buffer, cid: string, digest: Buffer): Promise<Uint8Array> {
  const leaf = await unpack(kept).catch((cause: unknown) => {
    throw new DamagedContent(cid, { cause });
  });
  if (!leafDigest(leaf).equals(digest)) throw new DamagedContent(cid);
  return leaf;
}

interface Reading {
  readonly leafDigests: Buffer;
  /** Size of the whole content. */
  readonly sizeBytes: number;
  readonly start: number;
  readonly end: number;
}

async function* readVerified(
  files: Files,
  cid: string,
  { leafDigests, sizeBytes, start, end }: Reading,
): AsyncGenerator<Uint8Array> {
  // The end of the content may be the end of a leaf, after which there is nothing to compare.
  if (start >= end) return;
  let index = Math.floor(start / leafBytes);
  const lastIndex = Math.ceil(end / leafBytes) - 1;
  // Limited to the size of the file, since another read at its end would cost as much as any.
  const range = { start: index * leafBytes, end: Math.min((lastIndex + 1) * leafBytes, sizeBytes) };
  for await (const leaf of inLeaves(files.read(contentName(cid), range))) {
    const expected = leafDigests.subarray(index * digestBytes, (index + 1) * digestBytes);
    if (!leafDigest(leaf).equals(expected)) throw new DamagedContent(cid);
    const position = index * leafBytes;
    const wanted = leaf.subarray(Math.max(0, start - position), Math.max(0, end - position));
    if (wanted.length > 0) yield wanted;
    index += 1;
  }
  // A file that was truncated after its size was read must not pass for a complete response.
  if (index <= lastIndex) throw new DamagedContent(cid);
}
