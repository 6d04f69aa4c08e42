import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { isErrno, readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory, writePrivateFile } from '../../supervisor/files/private-file.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import type { Layout } from '../layout.js';

/** The file of the bearer token with which a party's owner calls its node. */
export function tokenFile(layout: Layout, party: string): string {
  return join(layout.keys, party, 'token');
}

/** The other services of a stack that require a token; no party may have these names. */
const services = ['chain', 'store'] as const;

/** The file of a service's token; undefined without authentication, and in a trusted network. */
export function serviceTokenFile(
  layout: Layout,
  { auth, trustedNetwork }: Pick<StackSettings, 'auth' | 'trustedNetwork'>,
  service: (typeof services)[number],
): string | undefined {
  return auth.enabled && !trustedNetwork ? tokenFile(layout, service) : undefined;
}

/** Every file with secrets for callers, in a stack with these settings. */
export function secretFiles(layout: Layout, { auth, parties }: StackSettings): readonly string[] {
  if (!auth.enabled) return [];
  const ofParties = parties.flatMap(({ name }) => [tokenFile(layout, name), credentialsFile(layout, name)]);
  return [...services.map((service) => tokenFile(layout, service)), ...ofParties];
}

/** The file of the credentials, as hashes, that a party's node accepts. */
export function credentialsFile(layout: Layout, party: string): string {
  return join(layout.keys, party, 'auth.json');
}

const tokenBytes = 32;
const tokenPattern = /^[\w-]{43}$/;

/** Entries added by users are not validated here: the node validates them strictly. */
const Credentials = Type.Object({
  version: Type.Literal(1),
  credentials: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
});
type Credentials = Static<typeof Credentials>;

/**
 * Creates missing tokens of parties and adds their hashes to the credentials of their nodes, in a stack with
 * authentication; also those of chain and store, which read theirs themselves. A deleted token is replaced; other
 * entries stay unchanged.
 *
 * @throws StackError KEY_INVALID if a file has other content
 */
export async function ensureTokens(layout: Layout, { auth, parties }: StackSettings): Promise<void> {
  if (!auth.enabled) return;
  await Promise.all([
    ...services.map(async (service) => {
      if ((await readToken(layout, service)) === undefined) await createToken(tokenFile(layout, service));
    }),
    ...parties.map(async ({ name }) => {
      const token = (await readToken(layout, name)) ?? (await createToken(tokenFile(layout, name)));
      await admit(credentialsFile(layout, name), name, token);
    }),
  ]);
}

/** Reads the token of a party; undefined if it has none. @throws StackError KEY_INVALID if the file has no valid one */
export async function readToken(layout: Layout, party: string): Promise<string | undefined> {
  const path = tokenFile(layout, party);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (isErrno(cause, 'ENOENT')) return undefined;
    throw new StackError('KEY_INVALID', `${path} cannot be read.`, {
      hint: 'Only the user who created the stack can read it.',
      cause,
    });
  });
  if (text === undefined || tokenPattern.test(text.trim())) return text?.trim();
  throw new StackError('KEY_INVALID', `${path} does not hold a token.`, {
    hint: 'Delete it, and the next start creates another.',
  });
}

async function createToken(path: string): Promise<string> {
  await makeDirectory(dirname(path));
  const token = randomBytes(tokenBytes).toString('base64url');
  await writePrivateFile(path, `${token}\n`);
  return token;
}

async function admit(path: string, name: string, token: string): Promise<void> {
  const found = await readCredentials(path);
  const own = { name, sha256: createHash('sha256').update(token).digest('hex') };
  const others = (found?.credentials ?? []).filter((entry) => entry.name !== name);
  const wanted: Credentials = { version: 1, credentials: [own, ...others] };
  if (JSON.stringify(found) !== JSON.stringify(wanted)) await writeJsonFile(path, wanted);
}

async function readCredentials(path: string): Promise<Credentials | undefined> {
  return readJsonFile(path, Credentials).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StackError('KEY_INVALID', `The credentials cannot be read: ${reason}`, { cause });
  });
}
