import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';

/** What a handler sees of the request itself, beside what the route table says of it. */
export interface HttpRequest {
  readonly method: string;
  /** A header by its name; empty when it is absent. */
  readonly header: (name: string) => string;
  readonly message: IncomingMessage;
}

/** An answer that is no JSON. */
export interface BinaryReply {
  readonly status: 200 | 206;
  readonly headers: Readonly<Record<string, string>>;
  /** How many bytes there will be. */
  readonly sizeBytes: number;
  /** Undefined where only the headers were asked for. */
  readonly bytes: AsyncIterable<Uint8Array> | undefined;
}

/** How much of an answer waits for a slow reader. */
const bufferBytes = 524_288;

/**
 * Answers with bytes. What fails before the first of them is an error answer; what fails later cuts the connection, so
 * that the reader sees fewer bytes than it was promised.
 */
export async function answerBinary(ctx: Context, { status, headers, sizeBytes, bytes }: BinaryReply): Promise<void> {
  const body = bytes === undefined ? undefined : await openBody(ctx, bytes);
  ctx.status = status;
  if (body !== undefined) ctx.body = body;
  ctx.set(headers);
  ctx.type = 'application/octet-stream';
  ctx.length = sizeBytes;
}

async function openBody(ctx: Context, bytes: AsyncIterable<Uint8Array>): Promise<Readable> {
  const body = Readable.from(bytes, { objectMode: false, highWaterMark: bufferBytes });
  await once(body, 'readable');
  body.once('error', () => ctx.res.destroy());
  return body;
}
