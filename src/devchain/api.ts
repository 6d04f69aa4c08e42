import type { Middleware } from 'koa';
import getRawBody from 'raw-body';
import { answerJson } from '../http/answers/json.js';
import { ServiceError } from '../wire/errors/error.js';
import type { Rpc } from './rpc/rpc.js';
import type { ChainTurns } from './mining/turn.js';

export interface ApiOptions {
  readonly rpc: Rpc;
  readonly turns: ChainTurns;
  readonly maxRequestBytes: number;
}

/** The middleware of the chain's listener behind the gate: liveness, and JSON-RPC by POST on `/`. */
export function createApi(options: ApiOptions): Middleware[] {
  return [answerLiveness(options), answerCalls(options)];
}

/** Longer than a call takes, unless a contract loops until its gas runs out. */
const maxSilentMs = 5_000;
const problem = `No call was answered for more than ${maxSilentMs / 1_000} s; a long call keeps the chain busy.`;

/** A silent chain reports a problem but stays live: a restart would lose the calls in progress, and might not help. */
function answerLiveness({ rpc, turns }: ApiOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/livez' || !['GET', 'HEAD'].includes(ctx.method)) return next();
    const isSilent = rpc.silentMs() > maxSilentMs;
    answerJson(ctx, { ok: !isSilent, block: turns.head().number, ...(isSilent && { problem }) });
  };
}

function answerCalls({ rpc, maxRequestBytes }: ApiOptions): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/') return next();
    if (ctx.method !== 'POST') {
      throw new ServiceError('method_not_allowed', { method: ctx.method, path: ctx.path, allowed: 'POST' });
    }
    const text = await rpc.answer(await readBody(ctx, maxRequestBytes));
    ctx.status = text === undefined ? 204 : 200;
    if (text === undefined) return;
    ctx.type = 'application/json';
    ctx.body = text;
  };
}

async function readBody({ req }: Parameters<Middleware>[0], max: number): Promise<Buffer> {
  try {
    return await getRawBody(req, { limit: max, length: req.headers['content-length'] ?? null });
  } catch (cause) {
    if (cause instanceof Error && 'type' in cause && cause.type === 'entity.too.large') {
      throw new ServiceError('body_too_large', { max });
    }
    throw cause;
  }
}
