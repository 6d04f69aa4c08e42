import type { Context, Middleware } from 'koa';
import type { Profile } from '../../domain/network/profile.js';
import { textOf } from '../../wire/json/json.js';
import { openApiDocument } from '../../wire/openapi.js';
import { absolutePaths, type Route } from '../../wire/route.js';
import { routes } from '../../wire/routes.js';
import type { JsonText } from '../../wire/scalar.js';
import type { Access } from '../requests/access.js';
import { decodedPart } from '../requests/decoded-part.js';
import { rootFrom } from '../requests/root-from.js';
import { describeAsPage, describeContract, htmlOf, type PageContent } from './description-page.js';

export interface DescriptionParts {
  /** Name of the node. */
  readonly node: string;
  /** Version of the package. */
  readonly version: string;
  /** The profile of its network. */
  readonly profile?: Profile | undefined;
  readonly access: Pick<Access, 'resolverFor'>;
}

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'self'; frame-ancestors 'none'";

/** The documentation of the whole API or of one namespace: a page, or a document in one of its formats. */
const pathPattern = /^\/api(\/v1(?:\/namespaces\/([^/]+))?\/api)?(?:\/(?:openapi|swagger)\.(json|yaml))?\/?$/;

/** Whether a path is that of the API's documentation. */
export function isDescription(path: string): boolean {
  return pathPattern.test(path);
}

/** Sends a page that has no scripts and loads nothing. */
export function sendPage(ctx: Context, content: PageContent): void {
  ctx.set('Content-Security-Policy', pagePolicy);
  ctx.type = 'text/html';
  ctx.body = htmlOf(content, rootFrom(ctx.path));
}

/** Sends a document for programs; JSON is also valid YAML. */
export function sendDocument(ctx: Context, document: JsonText, format: string): void {
  ctx.type = format === 'json' ? 'application/json' : 'application/yaml';
  ctx.body = document;
}

interface Description {
  readonly document: JsonText;
  readonly page: PageContent;
}

/**
 * Serves the API's documentation, derived from the route table: OpenAPI 3.1 for programs, a page for people; for the
 * whole node, and for each namespace below its path (docs/api.md §21.3).
 */
export function createDescription({ node, version, profile, access }: DescriptionParts): Middleware {
  /**
   * Each is built on first request, so that a start does not wait for it. There is one for each namespace of the node.
   */
  const described = new Map<string | undefined, Description>();

  function describe(namespace: string | undefined): Description {
    const known = described.get(namespace);
    if (known !== undefined) return known;
    const made = namespace === undefined ? describeNode() : describeNamespace(namespace);
    described.set(namespace, made);
    return made;
  }

  function describeNode(): Description {
    return {
      document: textOf(openApiDocument(routes, { version, profile })),
      page: describeAsPage(routes, { node, version, profile }),
    };
  }

  function describeNamespace(namespace: string): Description {
    const table = routesOfNamespace(namespace);
    const [title, about] = [`${node} · ${namespace}`, `The namespace ${namespace} of this node.`];
    const document = `/api/v1/namespaces/${namespace}/api/openapi.json`;
    return {
      document: textOf(openApiDocument(table, { version, profile, title, about })),
      page: describeContract(table, { title, about, document, profile }),
    };
  }

  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/') return ctx.redirect('ui');
    const match = pathPattern.exec(ctx.path);
    if (match === null) return next();
    const [, inNamespace, given, format] = match;
    const resolve = access.resolverFor(ctx.req);
    const namespace = inNamespace === undefined ? undefined : resolve(given && decodedPart(given));
    const { document, page } = describe(namespace);
    if (format === undefined) sendPage(ctx, page);
    else sendDocument(ctx, document, format);
  };
}

/** The routes of a namespace under their full paths, without those outside all namespaces. */
function routesOfNamespace(namespace: string): Readonly<Record<string, Route>> {
  const within = (path: string): string[] =>
    absolutePaths(path)
      .slice(0, 1)
      .filter((each) => each.includes('{ns}'))
      .map((each) => each.replace('{ns}', namespace));
  return Object.fromEntries(
    Object.entries<Route>(routes).flatMap(([name, route]) => {
      const [path, ...also] = [route.path, ...(route.also ?? [])].flatMap(within);
      return path === undefined ? [] : [[name, { ...route, path, also }] as const];
    }),
  );
}
