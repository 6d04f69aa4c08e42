import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ServiceError } from '../../wire/errors/error.js';
import { createPasswords, type Password } from './password.js';

/** A credential with its rights. Secrets are stored only as hashes. */
export interface Credential {
  /** The user name of Basic authentication, also for a token that is sent as a password. */
  readonly name: string;
  readonly secret: { readonly kind: 'token'; readonly sha256: Buffer } | ({ readonly kind: 'password' } & Password);
  /** The namespaces that it has rights to; undefined = all. */
  readonly namespaces?: readonly string[] | undefined;
  /** Its rights beyond its namespaces. */
  readonly grants?: readonly string[] | undefined;
}

/** The authenticated caller of a request. */
export interface Caller {
  readonly name: string;
  /** Undefined = all namespaces. */
  readonly namespaces: readonly string[] | undefined;
  /** Its rights beyond its namespaces. */
  readonly grants?: readonly string[];
}

/** Authenticates requests. */
export interface Authentication {
  /** Resolves if the credential of a request is valid. @throws ServiceError unauthenticated, stopping */
  admit(request: IncomingMessage): Promise<void>;
  /** The caller of an admitted request; undefined for the open path and without authentication. */
  callerOf(request: IncomingMessage): Caller | undefined;
  /** The current rights of the credential with this name; undefined if there is none. */
  callerNamed(name: string): Caller | undefined;
}

/** The one path without authentication, for liveness probes; it reveals only that the process runs. */
const openPath = '/livez';
const tokenBytes = 32;

/**
 * Creates Basic and bearer authentication (docs/api.md §7, docs/architecture.md §12.1). A token has 256 random bits and
 * cannot be guessed, so a plain SHA-256 is as good as a slow hash and costs a request almost nothing; passwords are
 * weaker and have `password.ts`. A token is also accepted as the password of Basic, since FireFly's SDK sends nothing
 * else.
 *
 * All comparisons take constant time. Names need not be secret.
 */
export function createAuthentication(credentials: readonly Credential[]): Authentication {
  const byName = new Map(credentials.map((credential) => [credential.name, credential]));
  const passwords = createPasswords();
  const hasPasswords = credentials.some(({ secret }) => secret.kind === 'password');
  const callers = new WeakMap<IncomingMessage, Caller>();

  function byToken(token: string): Credential | undefined {
    const hash = sha256(token);
    let found: Credential | undefined;
    // All are compared, so that the time does not depend on which one matches.
    for (const credential of credentials) if (isToken(credential, hash)) found = credential;
    return found;
  }

  async function byPassword(name: string, password: string): Promise<Credential | undefined> {
    const credential = byName.get(name);
    if (credential?.secret.kind === 'token') return isToken(credential, sha256(password)) ? credential : undefined;
    if (!hasPasswords) return undefined;
    return (await passwords.verify(name, credential?.secret, password)) ? credential : undefined;
  }

  return {
    async admit(request) {
      const offered = readCredential(request.headers.authorization);
      const found =
        offered === undefined
          ? undefined
          : 'token' in offered
            ? byToken(offered.token)
            : await byPassword(offered.name, offered.password);
      if (found === undefined) throw new ServiceError('unauthenticated');
      callers.set(request, rightsOf(found));
    },
    callerOf: (request) => callers.get(request),
    callerNamed(name) {
      const credential = byName.get(name);
      return credential && rightsOf(credential);
    },
  };
}

function rightsOf({ name, namespaces, grants = [] }: Credential): Caller {
  return { name, namespaces, grants };
}

/**
 * Creates the middleware that authenticates every request except those of the open path; upgrades have no open path.
 */
export function createAuthenticator({ admit }: Authentication): Middleware {
  return async (ctx, next) => {
    if ((ctx.req.url ?? '').split('?', 1)[0] !== openPath) await admit(ctx.req);
    await next();
  };
}

type Offered = { readonly token: string } | { readonly name: string; readonly password: string };

/** Reads the credential of an `Authorization` header; undefined for an unsupported scheme. */
function readCredential(header: string | undefined): Offered | undefined {
  const [, scheme = '', value = ''] = /^(basic|bearer) +([\w.~+/=-]+) *$/i.exec(header ?? '') ?? [];
  if (scheme === '') return undefined;
  if (scheme.toLowerCase() === 'bearer') return { token: value };
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function isToken({ secret }: Credential, hash: Buffer): boolean {
  return secret.kind === 'token' && secret.sha256.length === tokenBytes && timingSafeEqual(secret.sha256, hash);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
