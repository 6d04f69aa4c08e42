import type { IncomingMessage } from 'node:http';
import { streamBytes } from '../../http/stream-bytes.js';
import { PeerError } from '../../ports/data-exchange.js';

/**
 * The bytes of a body as they come. Who stops reading leaves the connection whole, so that an answer can still go out.
 *
 * @throws PeerError when a byte that is due does not come for `idleMs`; Error when the connection breaks
 */
export async function* bytesOf(message: IncomingMessage, idleMs: number): AsyncGenerator<Uint8Array> {
  yield* streamBytes(message, (more) => inTime(more, idleMs));
}

/** A whole body, or undefined when it has more than `maxBytes`; then the rest is not read. @throws as `bytesOf` */
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

/** What comes, if it comes in time. */
function inTime<Value>(value: Promise<Value>, limitMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PeerError(`Nothing came for ${limitMs} ms.`)), limitMs);
    value.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
