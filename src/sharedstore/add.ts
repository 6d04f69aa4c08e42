import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { importFile, type ImporterOptions, type InProgressImportResult } from 'ipfs-unixfs-importer';
import { balanced, type FileLayout } from 'ipfs-unixfs-importer/layout';
import type { Failpoint } from '../ports/failpoint.js';
import type { Files } from '../ports/files.js';
import { cidOf } from './cid.js';
import { type Content, draftDirectory } from './content.js';
import { inLeaves } from './leaves.js';
import { rootOf } from './tree.js';

/** What was added, in the terms of Kubo's answer. */
export interface Added {
  readonly cid: string;
  readonly sizeBytes: number;
  /** The size of all blocks together, Kubo's `Size`. */
  readonly treeBytes: number;
}

export interface AdderOptions {
  readonly files: Files;
  readonly content: Content;
  readonly failpoint: Failpoint;
}

type Imported = { readonly cid: string; readonly leafDigests: Buffer; readonly sizeBytes: number };

/** What Kubo's `add` does by default: CID version 0, 256 KiB chunks, 174 links, leaves in dag-pb. */
const kuboDefaults: ImporterOptions = {
  profile: 'unixfs-v0-2015',
  cidVersion: 0,
  rawLeaves: false,
  // One after another, so that the leaves come in the file's order.
  blockWriteConcurrency: 1,
  // What is handed in is cut already.
  chunker: (leaves) => leaves,
  layout: (leaves, reduce) => balanced({ maxChildrenPerNode: 174 })(withoutBytes(leaves), reduce),
};
/** Kubo writes links before data, so the first byte tells an inner node from a leaf. */
const innerNodeTag = 0x12;

/**
 * Returns the function that takes in a file: its bytes go to a draft as they come, and past the importer, which
 * computes the CID that Kubo's `add` would answer. Resolves when the file is durable under it. Whatever fails before
 * leaves no draft.
 */
export function createAdder({ files, content, failpoint }: AdderOptions) {
  return async (bytes: AsyncIterable<Uint8Array>): Promise<Added> => {
    const draft = `${draftDirectory}/${randomUUID()}`;
    try {
      const { cid, leafDigests, sizeBytes } = await importInto(files, draft, bytes);
      await failpoint.reach('store.after-temp');
      const root = rootOf(leafDigests, sizeBytes);
      assert(cidOf(root.digest) === cid, 'the CID is that of the leaves, or the file could never be read');
      await content.keep(draft, cid, leafDigests);
      await failpoint.reach('store.after-rename');
      return { cid, sizeBytes, treeBytes: root.treeBytes };
    } catch (error) {
      await files.remove(draft);
      await files.remove(`${draft}-leaves`);
      throw error;
    }
  };
}

async function importInto(files: Files, draft: string, bytes: AsyncIterable<Uint8Array>): Promise<Imported> {
  const leafDigests: Uint8Array[] = [];
  const blockstore: Parameters<typeof importFile>[1] = {
    put(cid, block) {
      assert(block instanceof Uint8Array, 'the importer makes whole blocks');
      if (block[0] !== innerNodeTag) leafDigests.push(cid.multihash.digest);
      return cid;
    },
  };
  let sizeBytes = 0;
  async function* written(): AsyncGenerator<Uint8Array> {
    for await (const leaf of inLeaves(bytes)) {
      await (sizeBytes === 0 ? files.write(draft, [leaf]) : files.append(draft, leaf));
      sizeBytes += leaf.length;
      yield leaf;
    }
  }
  const { cid } = await importFile({ content: written() }, blockstore, kuboDefaults);
  return { cid: cid.toString(), leafDigests: Buffer.concat(leafDigests), sizeBytes };
}

/** The layout keeps up to 174 leaves until their parent is made. It needs their sizes, not 45 MiB of their bytes. */
async function* withoutBytes(leaves: Parameters<FileLayout>[0]): AsyncGenerator<InProgressImportResult> {
  for await (const leaf of leaves) {
    const { unixfs } = leaf;
    if (unixfs?.data !== undefined) {
      unixfs.addBlockSize(BigInt(unixfs.data.length));
      delete unixfs.data;
    }
    yield leaf;
  }
}
