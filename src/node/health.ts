import type { Middleware } from 'koa';

export interface HealthParts {
  readonly isReady: () => Promise<boolean>;
  /** The metrics in Prometheus' text form. */
  readonly metricsText: () => Promise<string>;
}

/** `/livez` for the keeper of the process, `/metrics` for dashboards (S §17.4). */
export function createHealth({ isReady, metricsText }: HealthParts): Middleware {
  return async (ctx, next) => {
    if (ctx.path === '/livez') ctx.body = { ok: true, ready: await isReady() };
    else if (ctx.path === '/metrics') {
      ctx.type = 'text/plain; version=0.0.4';
      ctx.body = await metricsText();
    } else await next();
  };
}
