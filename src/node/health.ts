import type { Middleware } from 'koa';
import type { Access } from './access.js';

export interface HealthParts {
  readonly isReady: () => Promise<boolean>;
  /** The metrics in Prometheus' text form. */
  readonly metricsText: () => Promise<string>;
  readonly access: Pick<Access, 'requireAll'>;
}

/** `/livez` for the keeper of the process, `/metrics` for dashboards (S §17.4). */
export function createHealth({ isReady, metricsText, access }: HealthParts): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/livez') ctx.body = { ok: true, ready: await isReady() };
    else if (ctx.path === '/metrics') {
      access.requireAll(ctx.req, 'the metrics');
      ctx.type = 'text/plain; version=0.0.4';
      ctx.body = await metricsText();
    } else await next();
  };
}
