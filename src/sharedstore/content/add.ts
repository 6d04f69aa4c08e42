import { randomUUID } from 'node:crypto';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Files } from '../../ports/files.js';
import { cidOf } from './cid.js';
import { type Content, draftDirectory, type DraftLeaves } from './content.js';
import { inLeaves } from './leaves.js';
import { pack } from './packing.js';
import { leafBytes, leafDigest, rootOf } from './tree.js';

/** The result of an upload, in the terms of Kubo's response. */
export interface Added {
  readonly cid: string;
  readonly sizeBytes: number;
  /** The total size of all blocks, Kubo's `Size`. */
  readonly treeBytes: number;
}

export interface AdderOptions {
  readonly files: Files;
  readonly content: Content;
  readonly failpoint: Failpoint;
}

type Written = { readonly leaves: DraftLeaves; readonly sizeBytes: number };

/**
 * Returns the function that stores a file: it writes the bytes to a draft as they arrive, leaf by leaf, and computes
 * the CID that Kubo's `add` would return. A file smaller than a leaf is compressed, as nearly all payloads are; a
 * larger one is not, since ranges of it are read. Resolves when the file is durable under its CID. A failure leaves no
 * draft.
 */
export function createAdder({ files, content, failpoint }: AdderOptions) {
  return async (bytes: AsyncIterable<Uint8Array>): Promise<Added> => {
    const draft = `${draftDirectory}/${randomUUID()}`;
    try {
      const { leaves, sizeBytes } = await writeDraft(files, draft, bytes);
      await failpoint.reach('store.after-temp');
      const { digest, treeBytes } = rootOf(leaves.digests, sizeBytes);
      const cid = cidOf(digest);
      await content.keep(draft, cid, leaves);
      await failpoint.reach('store.after-rename');
      return { cid, sizeBytes, treeBytes };
    } catch (error) {
      await files.remove(draft);
      await files.remove(`${draft}-leaves`);
      throw error;
    }
  };
}

async function writeDraft(files: Files, draft: string, bytes: AsyncIterable<Uint8Array>): Promise<Written> {
  const digests: Uint8Array[] = [];
  let only: Uint8Array | undefined;
  let sizeBytes = 0;
  for await (const leaf of inLeaves(bytes)) {
    // Only the last leaf of a file is not full.
    const isWholeFile = sizeBytes === 0 && leaf.length < leafBytes;
    const kept = isWholeFile ? await pack(leaf) : leaf;
    await (sizeBytes === 0 ? files.write(draft, [kept]) : files.append(draft, kept));
    only = sizeBytes === 0 ? leaf : undefined;
    digests.push(leafDigest(leaf));
    sizeBytes += leaf.length;
  }
  return { leaves: { digests: Buffer.concat(digests), only }, sizeBytes };
}
