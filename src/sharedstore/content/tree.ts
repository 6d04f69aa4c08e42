import { createHash } from 'node:crypto';

/** Kubo's defaults for `add`: chunks of 256 KiB, 174 links per node, a balanced tree. */
export const leafBytes = 262_144;
const maxLinks = 174;
export const digestBytes = 32;

/** The root of a file's tree: the digest of its block, and the total size of all blocks, which Kubo calls `Size`. */
export interface Root {
  readonly digest: Buffer;
  readonly treeBytes: number;
}

interface Node extends Root {
  readonly contentBytes: number;
}

/** The digest of the block for a leaf with these bytes: UnixFS in dag-pb, as Kubo's `add` builds it by default. */
export function leafDigest(bytes: Uint8Array): Buffer {
  const { before, after } = leafFrame(bytes.length);
  return createHash('sha256').update(before).update(bytes).update(after).digest();
}

/** Number of leaves of a file of this size; an empty file has one. */
export function leafCount(sizeBytes: number): number {
  return Math.max(1, Math.ceil(sizeBytes / leafBytes));
}

/**
 * Computes the root of the balanced tree over the leaves of a file, from the leaves' digests (32 bytes each, in file
 * order) and the file's size.
 */
export function rootOf(leafDigests: Uint8Array, sizeBytes: number): Root {
  let nodes = Array.from({ length: leafCount(sizeBytes) }, (_, index): Node => {
    const contentBytes = Math.min(leafBytes, sizeBytes - index * leafBytes);
    const { before, after } = leafFrame(contentBytes);
    const digest = Buffer.from(leafDigests.subarray(index * digestBytes, (index + 1) * digestBytes));
    return { digest, contentBytes, treeBytes: before.length + contentBytes + after.length };
  });
  let [root] = nodes;
  while (nodes.length > 1) {
    nodes = parentsOf(nodes);
    [root] = nodes;
  }
  if (root === undefined) throw new RangeError('a file has a leaf');
  return root;
}

function parentsOf(nodes: readonly Node[]): Node[] {
  const parents: Node[] = [];
  for (let start = 0; start < nodes.length; start += maxLinks) {
    parents.push(parentOf(nodes.slice(start, start + maxLinks)));
  }
  return parents;
}

function parentOf(children: readonly Node[]): Node {
  const contentBytes = children.reduce((sum, child) => sum + child.contentBytes, 0);
  const links = children.map((child) => {
    const hash = lengthField(1, Buffer.concat([Buffer.from([0x12, digestBytes]), child.digest]));
    const name = lengthField(2, Buffer.alloc(0));
    return lengthField(2, Buffer.concat([hash, name, numberField(3, child.treeBytes)]));
  });
  const sizes = children.map((child) => numberField(4, child.contentBytes));
  const data = lengthField(1, Buffer.concat([fileType, numberField(3, contentBytes), ...sizes]));
  const block = Buffer.concat([...links, data]);
  const digest = createHash('sha256').update(block).digest();
  const treeBytes = block.length + children.reduce((sum, child) => sum + child.treeBytes, 0);
  return { digest, contentBytes, treeBytes };
}

/** The bytes of a leaf's block before and after the content. */
function leafFrame(contentBytes: number): { readonly before: Buffer; readonly after: Buffer } {
  const dataHead = contentBytes === 0 ? Buffer.alloc(0) : Buffer.concat([tag(2, 2), varint(contentBytes)]);
  const after = numberField(3, contentBytes);
  const innerBytes = fileType.length + dataHead.length + contentBytes + after.length;
  return { before: Buffer.concat([tag(1, 2), varint(innerBytes), fileType, dataHead]), after };
}

/** UnixFS type 2, a file. */
const fileType = numberField(1, 2);

function numberField(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, 0), varint(value)]);
}

function lengthField(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([tag(field, 2), varint(bytes.length), bytes]);
}

function tag(field: number, wireType: number): Buffer {
  return Buffer.from([field * 8 + wireType]);
}

/** Protobuf's varint; arithmetic instead of shifts, since sizes exceed 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
