import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { streamBytes } from '../bodies/stream-bytes.js';
import type { Supervision } from './limits.js';

export interface HttpResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  /** Throws as `openRequest`, and an Error if it is truncated. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Reads the body as a whole, without an iterator for its chunks. @throws ResponseTooLargeError; as `body` */
  collect(maxBytes: number): Promise<Buffer>;
  /** Ends reading. The connection is closed unless the body was read to its end. */
  close(): void;
}

/** A response is longer than its reader accepts. */
export class ResponseTooLargeError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the response has more than ${maxBytes} bytes`);
    this.name = 'ResponseTooLargeError';
    this.maxBytes = maxBytes;
  }
}

/** Makes the response of a request readable; the supervision ends with it. */
export function openResponse(
  request: ClientRequest,
  response: IncomingMessage,
  supervision: Supervision,
): HttpResponse {
  const close = (): void => {
    supervision.end();
    // On a reused connection, the remainder of an incomplete body would be read as the next request or response.
    if (!response.complete || !request.writableEnded) request.destroy();
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* streamBytes(response);
      if (!response.complete) throw new Error(cutOff);
    } catch (error) {
      throw supervision.causeOf(error);
    } finally {
      close();
    }
  }
  const collect = async (maxBytes: number): Promise<Buffer> => {
    try {
      return await collectBytes(response, maxBytes);
    } catch (error) {
      throw supervision.causeOf(error);
    } finally {
      close();
    }
  };
  const { statusCode = 0, statusMessage = '', headers } = response;
  return { status: statusCode, statusText: statusMessage, headers, body: read(), collect, close };
}

const cutOff = 'The response was cut off.';

function collectBytes(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(response.headers['content-length']) > maxBytes) throw new ResponseTooLargeError(maxBytes);
    if (response.destroyed) throw response.errored ?? new Error(cutOff);
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    response.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) reject(new ResponseTooLargeError(maxBytes));
      else chunks.push(chunk);
    });
    response.once('end', () => {
      if (!response.complete) return;
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, sizeBytes));
    });
    response.once('error', reject);
    response.once('close', () => {
      if (!response.complete) reject(new Error(cutOff));
    });
  });
}

/** Reads a body as UTF-8. @throws as `collect` */
export async function readText(response: HttpResponse, maxBytes: number): Promise<string> {
  return (await response.collect(maxBytes)).toString('utf8');
}

/** Reads the beginning of a body as UTF-8, and nothing after it. @throws as the body */
export async function readBeginning({ body }: HttpResponse, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

/** Reads an unneeded body, so that its connection can be reused; a failure of that is ignored. */
export async function discard({ body }: HttpResponse): Promise<void> {
  try {
    for await (const chunk of body) void chunk;
  } catch {
    // The connection is closed.
  }
}
