import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { leafBytes } from './tree.js';

/** The unit in which file systems allocate space. */
const blockBytes = 4_096;
/** The fastest level. A higher one hardly makes payloads smaller, since they repeat their members for each message. */
const level = 1;

const [compress, decompress] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Returns the bytes to store for a leaf: compressed, or unchanged if compression would not save a block. */
export async function pack(leaf: Uint8Array): Promise<Uint8Array> {
  if (leaf.length <= blockBytes) return leaf;
  const packed = await compress(leaf, { level });
  return blocksOf(packed) < blocksOf(leaf) ? packed : leaf;
}

/** Decompresses bytes; rejects if they are not compressed, or decompress to more than a leaf. */
export async function unpack(kept: Uint8Array): Promise<Uint8Array> {
  return decompress(kept, { maxOutputLength: leafBytes });
}

function blocksOf(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / blockBytes);
}
