import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { leafBytes } from './tree.js';

/** The unit in which file systems give space to a file. */
const blockBytes = 4_096;
/** The quickest: a payload, which repeats its members for each message, becomes hardly smaller with a higher one. */
const level = 1;

const [compress, decompress] = [promisify(deflateRaw), promisify(inflateRaw)];

/** The bytes to keep of a content of one leaf: compressed, or as they are where that would not save a block. */
export async function pack(leaf: Uint8Array): Promise<Uint8Array> {
  if (leaf.length <= blockBytes) return leaf;
  const packed = await compress(leaf, { level });
  return blocksOf(packed) < blocksOf(leaf) ? packed : leaf;
}

/** Reverses `pack` for bytes that it compressed; rejects for bytes that are not compressed, or are more than a leaf. */
export async function unpack(kept: Uint8Array): Promise<Uint8Array> {
  return decompress(kept, { maxOutputLength: leafBytes });
}

function blocksOf(bytes: Uint8Array): number {
  return Math.ceil(bytes.length / blockBytes);
}
