import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { isErrno, readJsonFile, writeJsonFile } from '../supervisor/json-file.js';
import { makeDirectory, writePrivateFile } from '../supervisor/private-file.js';
import type { StackSettings } from './definition.js';
import { StackError } from './error.js';
import type { Layout } from './layout.js';

/** The secret with which the owner of a party speaks to its node: the text of a bearer token. */
export function tokenFile(layout: Layout, party: string): string {
  return join(layout.keys, party, 'token');
}

/** The services of a stack beside its nodes that ask for a token; no party can be called so. */
const services = ['chain', 'store'] as const;

/** The file of the token that a service asks for; undefined where nobody is asked. */
export function serviceTokenFile(
  layout: Layout,
  { auth }: Pick<StackSettings, 'auth'>,
  service: (typeof services)[number],
): string | undefined {
  return auth.enabled ? tokenFile(layout, service) : undefined;
}

/** Every file of a secret that a stack with these settings has for its callers. */
export function secretFiles(layout: Layout, { auth, parties }: StackSettings): readonly string[] {
  if (!auth.enabled) return [];
  const ofParties = parties.flatMap(({ name }) => [tokenFile(layout, name), credentialsFile(layout, name)]);
  return [...services.map((service) => tokenFile(layout, service)), ...ofParties];
}

/** Whom the node of a party lets in, by the hashes of their secrets. */
export function credentialsFile(layout: Layout, party: string): string {
  return join(layout.keys, party, 'auth.json');
}

const tokenBytes = 32;
const tokenPattern = /^[\w-]{43}$/;

/** Entries that others have put there are theirs, whatever they say: the node is strict with them. */
const Credentials = Type.Object({
  version: Type.Literal(1),
  credentials: Type.Array(Type.Object({ name: Type.String() }, { additionalProperties: true })),
});
type Credentials = Static<typeof Credentials>;

/**
 * Makes the token of each party that has none, and sees to it that its node knows the hash, where nodes ask for
 * credentials; and the tokens of chain and store, which read theirs themselves. A token that was deleted is replaced,
 * and other entries of a node's file stay as they are.
 *
 * @throws StackError KEY_INVALID when a file holds something else
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

/** The token of a party, undefined when it has none. @throws StackError KEY_INVALID when the file holds none */
export async function readToken(layout: Layout, party: string): Promise<string | undefined> {
  const path = tokenFile(layout, party);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    if (isErrno(cause, 'ENOENT')) return undefined;
    throw new StackError('KEY_INVALID', `${path} cannot be read.`, {
      hint: 'It belongs to whoever made the stack.',
      cause,
    });
  });
  if (text === undefined || tokenPattern.test(text.trim())) return text?.trim();
  throw new StackError('KEY_INVALID', `${path} does not hold a token.`, {
    hint: 'Delete it, and the next start makes another.',
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
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new StackError('KEY_INVALID', `The credentials cannot be read: ${said}`, { cause });
  });
}
