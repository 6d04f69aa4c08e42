import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Context, Middleware } from 'koa';
import type { Random } from '../ports/random.js';
import { ServiceError } from '../wire/errors/error.js';
import { ExplorerConfig, ExplorerManifest, noncePlaceholder } from '../wire/network/explorer.js';
import { write } from '../wire/json/json.js';
import { explorerHeader } from '../wire/network/stack-view.js';
import type { Access } from './requests/access.js';
import { rootFrom } from './requests/root-from.js';
import { parseFile } from './config.js';
import { sendPage } from './network/description.js';
import { linkTo } from './network/description-page.js';
import type { StackView } from './network/stack-view.js';

/** The built explorer, in memory: a few hundred kilobytes that every tab requests. */
export interface ExplorerFiles {
  /** The page, with a placeholder for the nonce. */
  readonly page: string;
  /** By request path. */
  readonly files: ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>;
}

export interface ExplorerParts {
  /** Undefined if the explorer was not built. */
  readonly built: ExplorerFiles | undefined;
  readonly config: Omit<ExplorerConfig, 'namespaces' | 'joins' | 'parties'>;
  /** The explorers of the stack, as far as their addresses are known. */
  readonly parties: (joins: boolean) => Promise<ExplorerConfig['parties']>;
  readonly access: Pick<Access, 'visibleTo' | 'resolverFor'>;
  /** Undefined if the explorer shows only this node. */
  readonly stack: StackView | undefined;
  readonly random: Pick<Random, 'bytes'>;
}

const folder = new URL('../../ui/dist/', import.meta.url);
const manifestName = 'files.json';
const nonceBytes = 18;
/** The folder of the page's files in its built form. */
const builtFolder = './assets/';
/** Base path of the explorer's requests about the other parties of its stack. */
const stackPath = '/ui/_stack';

/** Whether a path belongs to the explorer. A link on any page may open it. */
export function isExplorer(path: string): boolean {
  return path === '/ui' || path.startsWith('/ui/');
}

/**
 * Reads the built explorer by the list that its build has written, so that no path is ever made from a request.
 *
 * @throws Error if the list or a file that it names is damaged
 */
export async function readExplorer(): Promise<ExplorerFiles | undefined> {
  const path = fileURLToPath(new URL(manifestName, folder));
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { files } = parseFile(path, text, ExplorerManifest).value;
  const entries = files.map(async ({ name, type }) => {
    return [`/ui/${name}`, { type, bytes: await readFile(new URL(name, folder)) }] as const;
  });
  return { page: await readFile(new URL('index.html', folder), 'utf8'), files: new Map(await Promise.all(entries)) };
}

/**
 * Serves the explorer below `/ui`: its files, `/ui/_config`, and the page itself for every other path, which the page
 * interprets.
 */
export function createExplorer({ built, config, parties, access, stack, random }: ExplorerParts): Middleware {
  function sendExplorerPage(ctx: Context, page: string): void {
    const nonce = Buffer.from(random.bytes(nonceBytes)).toString('base64url');
    ctx.set('Content-Security-Policy', policyWith(nonce));
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/html';
    ctx.body = page.replaceAll(noncePlaceholder, nonce).replaceAll(builtFolder, `${rootFrom(ctx.path)}ui/assets/`);
  }

  function sendJson(ctx: Context, text: string): void {
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'application/json';
    ctx.body = text;
  }

  async function sendConfig(ctx: Context): Promise<void> {
    const joins = (await stack?.isThere()) === true;
    const shown = { ...config, parties: await parties(joins), joins, namespaces: access.visibleTo(ctx.req) };
    sendJson(ctx, write(ExplorerConfig, shown));
  }

  async function sendJoined(ctx: Context): Promise<void> {
    const parameters = ctx.URL.searchParams;
    const namespace = access.resolverFor(ctx.req)(parameters.get('ns') ?? undefined);
    const text = await stack?.answer(ctx.path.slice(stackPath.length), parameters, namespace);
    if (text === undefined) throw new ServiceError('not_found', { what: `${ctx.method} ${ctx.path}` });
    sendJson(ctx, text);
  }

  /**
   * Carries out an action. The gate admits only this origin; a page elsewhere cannot send the header without
   * permission.
   */
  async function act(ctx: Context): Promise<void> {
    if (ctx.get(explorerHeader) !== '1') throw new ServiceError('explorer_only', { header: explorerHeader });
    const text = await stack?.act(ctx.path.slice(stackPath.length));
    if (text === undefined) throw new ServiceError('not_found', { what: `${ctx.method} ${ctx.path}` });
    sendJson(ctx, text);
  }

  return async (ctx, next) => {
    if (!isExplorer(ctx.path)) return next();
    if (ctx.method === 'POST' && isAction(ctx.path)) {
      ctx.set(isolation);
      return act(ctx);
    }
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      throw new ServiceError('method_not_allowed', { method: ctx.method, path: ctx.path, allowed: 'GET, HEAD' });
    }
    ctx.set(isolation);
    if (ctx.path === '/ui/_config') return sendConfig(ctx);
    if (ctx.path.startsWith(`${stackPath}/`)) return sendJoined(ctx);
    if (built === undefined) return sendMissing(ctx);
    const file = built.files.get(ctx.path);
    if (file !== undefined) {
      // Names contain a hash of their content.
      ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
      ctx.type = file.type;
      ctx.body = file.bytes;
    } else if (/^\/ui\/(assets\/|_)/.test(ctx.path)) {
      throw new ServiceError('not_found', { what: `${ctx.method} ${ctx.path}` });
    } else sendExplorerPage(ctx, built.page);
  };
}

/** Whether a path below `/ui/_stack` is an action, requested with POST. */
function isAction(path: string): boolean {
  return path.startsWith(`${stackPath}/services/`);
}

/** Keeps other sites from framing the explorer, referencing its window or embedding its responses. */
const isolation = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

function policyWith(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
}

function sendMissing(ctx: Context): void {
  ctx.set('Cache-Control', 'no-store');
  sendPage(ctx, {
    title: 'Explorer',
    header: '<h1>The explorer is not built</h1>',
    main: `<p>Run <code>npm run build</code> in this checkout, then <code>stack restart</code>.
The API is described at ${linkTo('/api', '/api')}.</p>`,
  });
  ctx.status = 503;
}
