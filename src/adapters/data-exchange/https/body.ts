import type { IncomingMessage } from 'node:http';
import { streamBytes } from '../../../http/bodies/stream-bytes.js';
import { PeerError } from '../../../ports/data-exchange.js';

/**
 * Yields the bytes of a body. Ending early leaves the connection intact, so that a response can still be sent.
 *
 * @throws PeerError if no byte arrives for `idleMs`; Error if the connection breaks
 */
export async function* bytesOf(message: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  yield* streamBytes(message, (more) => inTime(more, idleMs));
}

/**
 * Reads a whole body; undefined if it has more than `maxBytes`, in which case it is not read to its end. @throws as
 * `bytesOf`
 */
export async function bodyOf(message: IncomingMessage, maxBytes: number, idleMs: number): Promise<Buffer | undefined> {
  if (Number(message.headers['content-length']) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bytesOf(message, idleMs)) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Resolves with the value unless it times out. */
function inTime<Value>(value: Promise<Value>, limitMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PeerError(`No bytes arrived for ${limitMs} ms.`)), limitMs);
    value.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
