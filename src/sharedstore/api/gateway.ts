import type { Context, Middleware } from 'koa';
import { matchesEtag } from '../../http/bodies/if-none-match.js';
import { parseRange } from '../../http/bodies/range.js';
import type { Log } from '../../ports/log.js';
import { ServiceError } from '../../wire/errors/error.js';
import { digestOf } from '../content/cid.js';
import { type Content, contentRemedy, DamagedContent, type Stored } from '../content/content.js';
import { send } from './send.js';

const immutable = 'public, max-age=29030400, immutable';

/**
 * Serves `GET` and `HEAD /ipfs/{cid}` like an IPFS gateway: with ranges, and marked as immutable. A name that is not a
 * CID is not found, since no content can have it.
 *
 * Throws ServiceError damaged, range_not_satisfiable
 */
export function createGateway({ content, log }: { readonly content: Content; readonly log: Log }): Middleware {
  return async (ctx, next) => {
    const name = /^\/ipfs\/([^/]+)$/.exec(ctx.path)?.[1];
    if (name === undefined || !['GET', 'HEAD'].includes(ctx.method)) return next();
    const digest = digestOf(name);
    try {
      const stored = digest === undefined ? undefined : await content.find(digest);
      if (stored !== undefined) await answer(ctx, stored, log);
    } catch (error) {
      throw error instanceof DamagedContent ? damaged(error, log) : error;
    }
  };
}

function damaged({ cid }: DamagedContent, log: Log): ServiceError {
  log.error('Stored content is damaged', { cid });
  const problem = 'its bytes do not match its CID';
  return new ServiceError('damaged', {
    what: `The stored content ${cid}`,
    problem,
    remedy: contentRemedy,
  });
}

async function answer(ctx: Context, stored: Stored, log: Log): Promise<void> {
  const etag = `"${stored.cid}"`;
  const isCached = matchesEtag(ctx.get('If-None-Match'), etag);
  const range = isCached ? undefined : rangeOf(ctx, stored, etag);
  const { start, end } = range ?? { start: 0, end: stored.sizeBytes };
  ctx.status = isCached ? 304 : range === undefined ? 200 : 206;
  if (!isCached) await send(ctx, stored, start, end, log);
  ctx.set({ 'Accept-Ranges': 'bytes', 'Cache-Control': immutable, ETag: etag, 'X-Ipfs-Path': `/ipfs/${stored.cid}` });
  if (range !== undefined) ctx.set('Content-Range', `bytes ${start}-${end - 1}/${stored.sizeBytes}`);
}

function rangeOf(ctx: Context, stored: Stored, etag: string): ReturnType<typeof parseRange> {
  const ifRange = ctx.get('If-Range');
  if (ifRange !== '' && ifRange !== etag) return undefined;
  ctx.set('Content-Range', `bytes */${stored.sizeBytes}`);
  const range = parseRange(ctx.get('Range'), stored.sizeBytes);
  ctx.remove('Content-Range');
  return range;
}
