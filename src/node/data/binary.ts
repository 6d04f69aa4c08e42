import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** The HTTP request as a handler sees it, besides the fields of the route table. */
export interface HttpRequest {
  readonly method: string;
  /** Returns a header by name; empty if it is absent. */
  readonly header: (name: string) => string;
  readonly message: IncomingMessage;
}

/** A response that is not JSON. */
export interface BinaryReply {
  readonly status: 200 | 206 | 304;
  readonly headers: Readonly<Record<string, string>>;
  /** Number of bytes that follow. */
  readonly sizeBytes: number;
  /** Undefined if only the headers are requested, or the client has the bytes. */
  readonly bytes: AsyncIterable<Uint8Array> | undefined;
}

/** Bytes of a response buffered for a slow reader. */
const bufferBytes = 524_288;

/**
 * Responds with bytes. A failure before the first byte becomes an error response; a later one cuts the connection, so
 * that the reader gets fewer bytes than announced.
 */
export async function answerBinary(ctx: Context, { status, headers, sizeBytes, bytes }: BinaryReply): Promise<void> {
  const body = bytes === undefined ? undefined : await openBody(ctx, bytes);
  ctx.status = status;
  if (body !== undefined) ctx.body = body;
  ctx.set(headers);
  if (status === 304) return;
  ctx.type = 'application/octet-stream';
  ctx.length = sizeBytes;
}

async function openBody(ctx: Context, bytes: AsyncIterable<Uint8Array>): Promise<Readable> {
  const body = Readable.from(bytes, { objectMode: false, highWaterMark: bufferBytes });
  await once(body, 'readable');
  body.once('error', () => ctx.res.destroy());
  return body;
}
