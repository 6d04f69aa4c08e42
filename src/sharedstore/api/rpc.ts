import type { Context, Middleware } from 'koa';
import { answerJson } from '../../http/answers/json.js';
import { drain } from '../../http/bodies/drain.js';
import type { Log } from '../../ports/log.js';
import { isDiskFull } from '../../wire/errors/disk.js';
import type { Added } from '../content/add.js';
import { digestOf } from '../content/cid.js';
import { type Content, DamagedContent } from '../content/content.js';
import { send } from './send.js';
import { openUpload, UploadRefused } from './upload.js';
import { shortened } from '../../wire/errors/sentence.js';

export interface RpcOptions {
  readonly add: (bytes: AsyncIterable<Uint8Array>) => Promise<Added>;
  readonly content: Content;
  /** Free disk space in bytes. */
  readonly freeBytes: () => Promise<number>;
  readonly maxFileBytes: number;
  /** Minimum free disk space for additions. */
  readonly minFreeBytes: number;
  readonly log: Log;
}

/** A limit, since messages may contain callers' input. */
const maxMessageCharacters = 500;

/** A refusal in Kubo's format: `{"Message","Code","Type":"error"}`. */
class KuboError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(shortened(message, maxMessageCharacters));
    this.status = status;
  }
}

const prefix = '/api/v0/';
/** The supported level of Kubo's API; clients expect a semantic version here. */
const version = { Version: '0.29.0', Commit: 'parley', Repo: '15', System: 'parley', Golang: '' };
/** Parameters of `add` that would change the CID or the effect, each with the only accepted value, Kubo's default. */
const onlyValues: Readonly<Record<string, string>> = {
  'cid-version': '0',
  'raw-leaves': 'false',
  chunker: 'size-262144',
  hash: 'sha2-256',
  trickle: 'false',
  inline: 'false',
  'max-file-links': '174',
  'only-hash': 'false',
  'wrap-with-directory': 'false',
  nocopy: 'false',
  'preserve-mode': 'false',
  'preserve-mtime': 'false',
};

/** Serves `POST /api/v0/add`, `cat` and `version`, the part of Kubo's RPC API that nodes use. */
export function createStoreRoutes(options: RpcOptions): Middleware {
  const methods: Readonly<Record<string, (ctx: Context) => Promise<void>>> = {
    add: (ctx) => add(ctx, options),
    cat: (ctx) => cat(ctx, options),
    version: async (ctx) => {
      answerJson(ctx, version);
    },
  };
  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) return next();
    try {
      const name = ctx.path.slice(prefix.length);
      const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (method === undefined)
        throw new KuboError(404, `Unknown method ${name}. The methods are add, cat and version.`);
      if (ctx.method !== 'POST') throw new KuboError(405, 'Expected POST, which all methods of this API require.');
      await method(ctx);
    } catch (thrown) {
      const { status, message } = toKuboError(thrown, options.log);
      await drain(ctx.req);
      ctx.status = status;
      answerJson(ctx, { Message: message, Code: 0, Type: 'error' });
    }
  };
}

async function add(ctx: Context, options: RpcOptions): Promise<void> {
  for (const [name, expected] of Object.entries(onlyValues)) {
    const actual = parameter(ctx, name) ?? expected;
    if (actual !== expected) throw new KuboError(400, `The option ${name} must be ${expected}, not "${actual}".`);
  }
  if ((await options.freeBytes()) < options.minFreeBytes) throw diskFull();
  const upload = await openUpload(ctx.req, options.maxFileBytes);
  const added = await options.add(upload.bytes);
  const name = upload.name === '' ? added.cid : upload.name;
  const lines: object[] = [{ Name: name, Hash: added.cid, Size: String(added.treeBytes) }];
  if (parameter(ctx, 'progress') === 'true') lines.unshift({ Name: name, Bytes: added.sizeBytes });
  ctx.type = 'application/json';
  ctx.body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function cat(ctx: Context, { content, log }: RpcOptions): Promise<void> {
  const text = parameter(ctx, 'arg');
  if (text === undefined) throw new KuboError(400, 'The argument "arg", a CID, is required.');
  const digest = digestOf(text.replace(/^\/ipfs\//, ''));
  if (digest === undefined)
    throw new KuboError(400, 'The argument "arg" must be a version 0 CID: Qm and 44 characters.');
  const start = wholeNumber(ctx, 'offset', 0);
  const length = wholeNumber(ctx, 'length', Number.MAX_SAFE_INTEGER - start);
  const stored = await content.find(digest);
  if (stored === undefined) throw new KuboError(404, 'The store has no content with this CID.');
  const from = Math.min(start, stored.sizeBytes);
  await send(ctx, stored, from, Math.min(stored.sizeBytes, from + length), log);
  ctx.set('X-Stream-Output', '1');
}

function parameter(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

function wholeNumber(ctx: Context, name: string, fallback: number): number {
  const text = parameter(ctx, name);
  if (text === undefined) return fallback;
  if (!/^\d{1,15}$/.test(text)) throw new KuboError(400, `The option "${name}" must be a whole number of bytes.`);
  return Number(text);
}

function diskFull(cause?: unknown): KuboError {
  const error = new KuboError(507, 'The disk is full. Free some space and try again.');
  error.cause = cause;
  return error;
}

function toKuboError(thrown: unknown, log: Log): KuboError {
  if (thrown instanceof KuboError) return thrown;
  if (thrown instanceof UploadRefused) return new KuboError(thrown.status, thrown.message);
  log.error('A request failed', { error: thrown });
  if (isDiskFull(thrown)) return diskFull(thrown);
  if (thrown instanceof DamagedContent) return new KuboError(500, thrown.message);
  return new KuboError(500, 'Internal error of the store; see its log.');
}
