import type { Clock } from '../../ports/clock.js';
import { FileNotFound, type Files } from '../../ports/files.js';
import { cidOf } from './cid.js';
import { collected, inLeaves } from './leaves.js';
import { unpack } from './packing.js';
import { createRecent } from './recent.js';
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
  /** The digests of all of them, in order. */
  readonly digests: Uint8Array;
  /** The only one; undefined for a larger file. */
  readonly only: Uint8Array | undefined;
}

export interface Content {
  /**
   * Turns a complete draft into the file of its CID, durably, replacing an existing one: so adding a file again repairs
   * damage. A draft of one leaf may be packed.
   */
  keep(draft: string, cid: string, leaves: DraftLeaves): Promise<void>;

  /** The file of a root digest, or undefined. Rejects with `DamagedContent` if the stored data cannot be that file. */
  find(digest: Buffer): Promise<Stored | undefined>;

  /** Removes the drafts of an earlier process. */
  removeDrafts(): Promise<void>;
}

/** The directory of drafts; they have separate names, so an incomplete one is never taken for content. */
export const draftDirectory = 'drafts';

/** How damage of a content is mended. */
export const contentRemedy = 'Adding it again repairs it.';

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
 * Creates the file storage: each file once, under its CID, with its leaf digests beside it if it has several leaves.
 * The digests must hash to the CID and the bytes to the digests, so damage of either is found when reading, even for a
 * range. A file of one leaf is packed or not, which its CID tells: it is the one of the bytes as they are or unpacked.
 * One that was added just now is in memory, too.
 */
export function createContent({ files, clock }: { readonly files: Files; readonly clock: Clock }): Content {
  const recent = createRecent(clock);

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
      // A copy, since the bytes may be a part of something larger.
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

/** The content of a file of one leaf, which is its own root: its bytes are compared with the CID itself. */
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
  let index = Math.floor(start / leafBytes);
  const lastIndex = Math.max(index, Math.ceil(end / leafBytes) - 1);
  // No further than it goes: a read at the end of a file costs as much as any.
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
  if (index <= lastIndex && end > start) throw new DamagedContent(cid);
}
