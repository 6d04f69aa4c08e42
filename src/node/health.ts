import type { Middleware } from 'koa';
import { answerJson } from '../http/answers/json.js';
import type { Access } from './requests/access.js';

export interface HealthParts {
  readonly isReady: () => Promise<boolean>;
  /** The reason why the node cannot work now; undefined while it can. */
  readonly problem: () => string | undefined;
  /** Returns the metrics in Prometheus' text format. */
  readonly metricsText: () => Promise<string>;
  readonly access: Pick<Access, 'requireAll'>;
}

/** Serves `/livez` for the supervisor and `/metrics` for dashboards (docs/operations.md §9). */
export function createHealth({ isReady, problem, metricsText, access }: HealthParts): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/livez') {
      const lacks = problem();
      answerJson(ctx, { ok: true, ready: await isReady(), ...(lacks !== undefined && { problem: lacks }) });
    } else if (ctx.path === '/metrics') {
      access.requireAll(ctx.req, 'the metrics');
      ctx.type = 'text/plain; version=0.0.4';
      ctx.body = await metricsText();
    } else await next();
  };
}
