import type { Middleware } from 'koa';

/** FireFly's paths for services beside a node, and the routes with the same responses (docs/api.md §21.4). */
const rewritten: readonly (readonly [pattern: RegExp, path: string])[] = [
  [/^\/spi\/v1\/(namespaces(?:\/[^/]+(?:\/operations)?)?)\/?$/, '/api/v1/$1'],
  [/^\/spi\/v1\/operations\/([^/:]+):([^/:]+)\/?$/, '/api/v1/namespaces/$1/operations/$2'],
];

/** Serves the read routes below `/spi/v1`, if that is enabled; no request there changes anything. */
export function createSpi({ isEnabled }: { readonly isEnabled: boolean }): Middleware {
  return async (ctx, next) => {
    const [pattern, path] = rewritten.find(([each]) => each.test(ctx.path)) ?? [];
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isEnabled && isRead && pattern !== undefined && path !== undefined) ctx.path = ctx.path.replace(pattern, path);
    await next();
  };
}
