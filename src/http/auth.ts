import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ServiceError } from '../wire/error.js';
import { createPasswords, type Password } from './password.js';

/** Who is let in. Secrets are known by their hashes only. */
export interface Credential {
  /** The user of Basic authentication; also of a token that is sent as a password. */
  readonly name: string;
  readonly secret: { readonly kind: 'token'; readonly sha256: Buffer } | ({ readonly kind: 'password' } & Password);
  /** What it has rights to; undefined = everything. */
  readonly namespaces?: readonly string[] | undefined;
  /** What it may do beyond its namespaces. */
  readonly grants?: readonly string[] | undefined;
}

/** Whose request it is. */
export interface Caller {
  readonly name: string;
  /** Undefined = all of them. */
  readonly namespaces: readonly string[] | undefined;
  /** What it may do beyond its namespaces. */
  readonly grants?: readonly string[];
}

/** Asks whoever comes for a credential. */
export interface Authentication {
  /** Resolves when the credential of a request is good. @throws ServiceError unauthenticated, stopping */
  admit(request: IncomingMessage): Promise<void>;
  /** Whose request it is that has been admitted; of an open path, and without authentication, nobody's. */
  callerOf(request: IncomingMessage): Caller | undefined;
}

/** The one path that answers everybody, for whatever keeps the process alive; it says nothing but that it lives. */
const openPath = '/livez';
const tokenBytes = 32;

/**
 * Basic and bearer credentials (S §1.8, assurance S1). A token is 256 bits of chance, which nobody guesses, so its
 * plain SHA-256 is as good as a slow hash and costs a request nothing; passwords are people's and have `password.ts`. A
 * token is also taken as the password of Basic, since FireFly's SDK sends nothing else.
 *
 * All comparisons take the same time whatever differs. Names need not be secret.
 */
export function createAuthentication(credentials: readonly Credential[]): Authentication {
  const byName = new Map(credentials.map((credential) => [credential.name, credential]));
  const passwords = createPasswords();
  const hasPasswords = credentials.some(({ secret }) => secret.kind === 'password');
  const callers = new WeakMap<IncomingMessage, Caller>();

  function byToken(token: string): Credential | undefined {
    const hash = sha256(token);
    let found: Credential | undefined;
    // All are compared, so that the time does not tell which one was nearest.
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
      const { name, namespaces, grants = [] } = found;
      callers.set(request, { name, namespaces, grants });
    },
    callerOf: (request) => callers.get(request),
  };
}

/** The rule of every request but the open path; upgrades have no open path. */
export function createAuthenticator({ admit }: Authentication): Middleware {
  return async (ctx, next) => {
    if ((ctx.req.url ?? '').split('?', 1)[0] !== openPath) await admit(ctx.req);
    await next();
  };
}

type Offered = { readonly token: string } | { readonly name: string; readonly password: string };

/** What an `Authorization` header offers; undefined when it is none of ours. */
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
