import { leafBytes } from './tree.js';

/** Regroups a stream into the leaves of a file, all full except the last. An empty file has one empty leaf. */
export async function* inLeaves(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let isEmpty = true;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length;) {
      const piece = chunk.subarray(offset, offset + leafBytes - pendingBytes);
      pending.push(piece);
      offset += piece.length;
      pendingBytes += piece.length;
      if (pendingBytes < leafBytes) continue;
      yield joined(pending);
      isEmpty = false;
      pending = [];
      pendingBytes = 0;
    }
  }
  if (pendingBytes > 0 || isEmpty) yield joined(pending);
}

/** Reads a stream to its end. */
export async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}
