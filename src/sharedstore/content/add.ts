import { randomUUID } from 'node:crypto';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Files } from '../../ports/files.js';
import { cidOf } from './cid.js';
import { type Content, draftDirectory } from './content.js';
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

type Written = { readonly leafDigests: Buffer; readonly sizeBytes: number };

/**
 * Returns the function that stores a file: its bytes are written to a draft on arrival, leaf by leaf, and the leaves
 * give the CID that Kubo's `add` would return. A file of less than a leaf is packed, as nearly all payloads are; of a
 * larger one ranges are read. Resolves when the file is durable under that CID. A failure leaves no draft.
 */
export function createAdder({ files, content, failpoint }: AdderOptions) {
  return async (bytes: AsyncIterable<Uint8Array>): Promise<Added> => {
    const draft = `${draftDirectory}/${randomUUID()}`;
    try {
      const { leafDigests, sizeBytes } = await writeDraft(files, draft, bytes);
      await failpoint.reach('store.after-temp');
      const { digest, treeBytes } = rootOf(leafDigests, sizeBytes);
      const cid = cidOf(digest);
      await content.keep(draft, cid, leafDigests);
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
  const leafDigests: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const leaf of inLeaves(bytes)) {
    // Only the last leaf of a file is not full.
    const isWholeFile = sizeBytes === 0 && leaf.length < leafBytes;
    const kept = isWholeFile ? await pack(leaf) : leaf;
    await (sizeBytes === 0 ? files.write(draft, [kept]) : files.append(draft, kept));
    leafDigests.push(leafDigest(leaf));
    sizeBytes += leaf.length;
  }
  return { leafDigests: Buffer.concat(leafDigests), sizeBytes };
}
