import type { Context, Middleware } from 'koa';
import { textOf } from '../wire/json.js';
import { openApiDocument } from '../wire/openapi.js';
import { routes } from '../wire/routes.js';
import { describeAsPage } from './description-page.js';

export interface DescriptionParts {
  /** Name of the node. */
  readonly node: string;
  /** Of the package. */
  readonly version: string;
}

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Whether a path is that of the description of the API. */
export function isDescription(path: string): boolean {
  return path === '/api' || path.startsWith('/api/openapi');
}

/** Answers with a page that has no scripts and loads nothing. */
export function sendPage(ctx: Context, page: string): void {
  ctx.set('Content-Security-Policy', pagePolicy);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.type = 'text/html';
  ctx.body = page;
}

/** The API's own description, derived from the route table: OpenAPI 3.1 for programs, a page for people (S §17.4). */
export function createDescription({ node, version }: DescriptionParts): Middleware {
  const document = textOf(openApiDocument(routes, { version }));
  const page = describeAsPage(routes, { node, version });
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const path = ctx.path.replace(/(?<=.)\/$/, '');
    if (path === '/api/openapi.json' || path === '/api/swagger.json') {
      ctx.type = 'application/json';
      ctx.body = document;
    } else if (path === '/api') {
      sendPage(ctx, page);
    } else if (path === '/') ctx.redirect('/api');
    else await next();
  };
}
