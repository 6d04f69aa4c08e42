import type { Middleware } from 'koa';
import type { GateRules } from '../../http/access/gate.js';
import { answerJson } from '../../http/answers/json.js';
import { createGateway } from './gateway.js';
import { createStoreRoutes, type RpcOptions } from './rpc.js';

/** The middleware of the store's listener behind the gate: Kubo's RPC API, the gateway and liveness. */
export function createApi(options: RpcOptions): Middleware[] {
  return [answerLiveness, createStoreRoutes(options), createGateway(options)];
}

/** The gate's rules: only `add` has a body, which must be multipart. */
export function createRules(hosts: readonly string[], origins: readonly string[]): GateRules {
  return {
    hosts,
    origins,
    contentTypes: (path) => [path === '/api/v0/add' ? 'multipart/form-data' : 'application/json'],
  };
}

const answerLiveness: Middleware = async (ctx, next) => {
  if (ctx.path !== '/livez' || !['GET', 'HEAD'].includes(ctx.method)) return next();
  answerJson(ctx, { ok: true });
};
