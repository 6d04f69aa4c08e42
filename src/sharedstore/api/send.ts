import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Log } from '../../ports/log.js';
import type { Stored } from '../content/content.js';
import { collected } from '../content/leaves.js';

/** The bytes of a response that are buffered for a slow reader. */
const bufferBytes = 524_288;
/** A response up to this size is read at once, as nearly all payloads are: a stream costs more than the read. */
const maxUnstreamedBytes = 65_536;

/**
 * Responds with the bytes from `start` up to, not including, `end`. The first bytes, or all of a short response, are
 * verified before anything is sent, so damage there rejects and becomes an error response. Later damage closes the
 * connection, and the reader gets fewer bytes than announced. A HEAD request gets the same headers and reads nothing.
 */
export async function send(ctx: Context, stored: Stored, start: number, end: number, log: Log): Promise<void> {
  if (ctx.method !== 'HEAD') ctx.body = await openBody(ctx, stored, start, end, log);
  ctx.type = 'application/octet-stream';
  ctx.length = end - start;
}

async function openBody(
  ctx: Context,
  stored: Stored,
  start: number,
  end: number,
  log: Log,
): Promise<Readable | Buffer> {
  if (end - start <= maxUnstreamedBytes) return collected(stored.read(start, end));
  const body = Readable.from(stored.read(start, end), { objectMode: false, highWaterMark: bufferBytes });
  await once(body, 'readable');
  body.once('error', (error) => {
    log.error('A response was cut short', { cid: stored.cid, error });
    ctx.res.destroy();
  });
  return body;
}
