import { FileNotFound, type Files } from '../ports/files.js';
import { cidOf } from './cid.js';
import { inLeaves } from './leaves.js';
import { digestBytes, leafBytes, leafCount, leafDigest, rootOf } from './tree.js';

/** One stored file whose leaf digests have been proven to belong to its CID. */
export interface Stored {
  readonly cid: string;
  readonly sizeBytes: number;
  /**
   * The bytes from `start` up to, not including, `end`. Every leaf is compared with its digest before a byte of it is
   * given out; a leaf that differs ends the reading with `DamagedContent`.
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

export interface Content {
  /**
   * Makes a complete draft the file of its CID, durably, in place of one that may be there already: so adding again
   * repairs what was damaged. `leafDigests` are those of all leaves, in order.
   */
  keep(draft: string, cid: string, leafDigests: Uint8Array): Promise<void>;

  /** The file of a root digest, or undefined. Rejects with `DamagedContent` when what is stored cannot be it. */
  find(digest: Buffer): Promise<Stored | undefined>;

  /** Removes the drafts that a process before us has left. */
  removeDrafts(): Promise<void>;
}

/** Where drafts lie; they have names of their own, so a torn one is never taken for content. */
export const draftDirectory = 'drafts';

/** What is on disk under a CID is not what has that CID. */
export class DamagedContent extends Error {
  constructor(cid: string) {
    super(`The stored content ${cid} is damaged. Adding it again repairs it.`);
    this.name = 'DamagedContent';
  }
}

/**
 * Each file once, under its CID, and beside it, if it has several leaves, their digests. The digests must lead to the
 * CID and the bytes to the digests, so damage of either is found at reading, in a range too.
 */
export function createContent({ files }: { readonly files: Files }): Content {
  async function leafDigestsOf(cid: string, digest: Buffer, sizeBytes: number): Promise<Buffer> {
    const leafDigests = leafCount(sizeBytes) === 1 ? digest : await readWhole(files, leavesName(cid));
    const isComplete = leafDigests?.length === leafCount(sizeBytes) * digestBytes;
    // A single leaf is its own root: its bytes are compared with the CID itself.
    const isBound = isComplete && (leafDigests === digest || rootOf(leafDigests, sizeBytes).digest.equals(digest));
    if (!isBound) throw new DamagedContent(cid);
    return leafDigests;
  }

  return {
    async keep(draft, cid, leafDigests) {
      const hasLeaves = leafDigests.length > digestBytes;
      const leavesDraft = `${draft}-leaves`;
      if (hasLeaves) await files.write(leavesDraft, [leafDigests]);
      await Promise.all([files.sync(draft), hasLeaves ? files.sync(leavesDraft) : undefined]);
      if (hasLeaves) await files.rename(leavesDraft, leavesName(cid));
      await files.rename(draft, contentName(cid));
    },

    async find(digest) {
      const cid = cidOf(digest);
      const sizeBytes = await files.size(contentName(cid));
      if (sizeBytes === undefined) return undefined;
      const leafDigests = await leafDigestsOf(cid, digest, sizeBytes);
      return { cid, sizeBytes, read: (start, end) => readVerified(files, cid, leafDigests, start, end) };
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
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of files.read(name)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof FileNotFound) return undefined;
    throw error;
  }
  return Buffer.concat(chunks);
}

async function* readVerified(
  files: Files,
  cid: string,
  leafDigests: Buffer,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let index = Math.floor(start / leafBytes);
  const lastIndex = Math.max(index, Math.ceil(end / leafBytes) - 1);
  const range = { start: index * leafBytes, end: (lastIndex + 1) * leafBytes };
  for await (const leaf of inLeaves(files.read(contentName(cid), range))) {
    const expected = leafDigests.subarray(index * digestBytes, (index + 1) * digestBytes);
    if (!leafDigest(leaf).equals(expected)) throw new DamagedContent(cid);
    const position = index * leafBytes;
    const wanted = leaf.subarray(Math.max(0, start - position), Math.max(0, end - position));
    if (wanted.length > 0) yield wanted;
    index += 1;
  }
  // A file that became shorter since its size was taken must not pass for a complete answer.
  if (index <= lastIndex && end > start) throw new DamagedContent(cid);
}
