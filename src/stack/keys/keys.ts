import { createHash, randomBytes } from 'node:crypto';
import { access, lstat, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { exists } from '../../supervisor/machine/directory.js';
import { isErrno } from '../../supervisor/files/json-file.js';
import { createPrivateFile, makeDirectory, syncDirectory } from '../../supervisor/files/private-file.js';
import { isPrivateKey } from '../../domain/chain/keys.js';
import { type CertificateFiles, ensureCertificate } from './certificate.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import type { Layout } from '../layout.js';
import { checkTls } from './tls-files.js';
import { ensureTokens, secretFiles } from './tokens.js';
import { walletDirectory, walletFiles } from './wallet-files.js';

/** The key of the stack that deploys the contracts and adds members. */
export function operatorKeyFile(layout: Layout): string {
  return join(layout.keys, 'operator');
}

/** The key that deploys the contracts and adds members: the one that the definition names, or the stack's. */
export function operatorKeyOf(layout: Layout, { chain }: Pick<StackSettings, 'chain'>): string {
  return chain.external?.operatorKey ?? operatorKeyFile(layout);
}

/** The key with which a party's node signs its transactions. */
export function signingKeyFile(layout: Layout, party: string): string {
  return join(layout.keys, party, 'signing');
}

/** The key and certificate by which a party's node authenticates to other nodes. */
export function certificateFiles(layout: Layout, party: string): CertificateFiles {
  const inside = (name: string): string => join(layout.keys, party, name);
  return { keyFile: inside('node.key'), certificateFile: inside('node.crt') };
}

/** The keys of a party's accounts without an identity. */
export function spareKeyFiles(layout: Layout, party: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => join(walletDirectory(layout, party), `spare-${index + 1}`));
}

/**
 * Creates missing keys of a stack, each in its own file, 0600, created exclusively (docs/architecture.md §12.4). With
 * the source `test` they are derived from their names and thus public; the keys of nodes never are. A key that the
 * definition names is copied.
 *
 * @throws StackError KEY_NOT_PRIVATE, KEY_INVALID, NAME_EXISTS if a party signs with another key already
 */
export async function createKeys(layout: Layout, settings: StackSettings): Promise<void> {
  for (const { name, keyFile } of settings.parties) await copyKey(layout, name, keyFile);
  const named = settings.parties.flatMap(({ name, keyFile }) =>
    keyFile === undefined ? [] : signingKeyFile(layout, name),
  );
  const made = keyFiles(layout, settings).filter(({ path }) => !named.includes(path));
  await Promise.all(
    made.map(async ({ path, label }) => {
      await makeDirectory(dirname(path));
      await createKey(path, settings.keys.source === 'test' ? testKey(label) : newPrivateKey());
    }),
  );
  await Promise.all(settings.parties.map(({ name }) => ensureCertificate(certificateFiles(layout, name), name)));
  await ensureTokens(layout, settings);
  // The directories of the parties are new entries, too.
  for (const directory of [layout.keys, layout.directory]) await syncDirectory(directory);
}

/** Copies the key file of a party if it exists. A missing file is an error only when a start needs it. */
async function copyKey(layout: Layout, party: string, keyFile: string | undefined): Promise<void> {
  // A relative path belongs to a definition that is in no file yet.
  if (keyFile === undefined || !isAbsolute(keyFile) || !(await exists(keyFile))) return;
  await requirePrivate(keyFile, 'file');
  await importSigningKey(layout, party, await readUserKey(keyFile));
}

/**
 * Refuses keys that another user could have read or created: a mode wider than 0600 (0700 for directories), another
 * owner, a link; and invalid keys.
 *
 * @throws StackError KEY_NOT_PRIVATE, KEY_INVALID
 */
export async function checkKeys(layout: Layout, settings: StackSettings): Promise<void> {
  for (const { name, keyFile } of settings.parties) {
    if (keyFile !== undefined && !(await exists(signingKeyFile(layout, name)))) await requireUserFile('key', keyFile);
  }
  const wallets = await Promise.all(settings.parties.map(({ name }) => walletFiles(layout, name)));
  const files = [...new Set([...keyFiles(layout, settings).map(({ path }) => path), ...wallets.flat()])];
  const directories = new Set([layout.keys, ...files.map((path) => dirname(path))]);
  for (const path of directories) await requirePrivate(path, 'directory');
  for (const path of files) {
    await requirePrivate(path, 'file');
    const text = await readFile(path, 'utf8');
    if (!isPrivateKey(text.trim())) {
      throw new StackError('KEY_INVALID', `${path} does not hold a private key.`, {
        hint: 'Put the key back, or remove the stack and create it again.',
      });
    }
  }
  await checkUserFiles(settings);
  await checkTls(settings);
  for (const { name } of settings.parties) await requirePrivate(certificateFiles(layout, name).keyFile, 'file');
  for (const path of secretFiles(layout, settings)) {
    await requirePrivate(dirname(path), 'directory');
    await requirePrivate(path, 'file');
  }
}

/**
 * Checks the files that a definition names for a chain, a store or databases that others run.
 *
 * @throws StackError KEY_INVALID, KEY_NOT_PRIVATE
 */
export async function checkUserFiles({ chain, store, parties }: StackSettings): Promise<void> {
  const { operatorKey = null, funder = null, authFile = null } = chain.external ?? {};
  const urlFiles = [...new Set(parties.flatMap(({ database }) => database?.urlFile ?? []))];
  const files = [
    { setting: 'chain.operatorKey', path: operatorKey, isKeyFile: true },
    { setting: 'chain.funder', path: funder, isKeyFile: true },
    { setting: 'chain.authFile', path: authFile, isKeyFile: false },
    { setting: 'store.authFile', path: store.external?.authFile ?? null, isKeyFile: false },
    ...urlFiles.map((path) => ({ setting: 'database.url', path, isKeyFile: false })),
  ];
  for (const { setting, path, isKeyFile } of files) {
    if (path === null) continue;
    await requireUserFile(setting, path);
    if (isKeyFile) await readUserKey(path);
  }
}

async function requireUserFile(setting: string, path: string): Promise<void> {
  await access(path).catch((cause: unknown) => {
    throw new StackError('KEY_INVALID', `${setting}: ${path} cannot be read.`, {
      hint: 'Name a file of mode 0600; a relative path is seen from the directory of stack.yaml.',
      cause,
    });
  });
  await requirePrivate(path, 'file');
}

function keyFiles(layout: Layout, settings: StackSettings): { path: string; label: string }[] {
  const parties = settings.parties.flatMap(({ name }) => [
    { path: signingKeyFile(layout, name), label: `${name} signing` },
    ...spareKeyFiles(layout, name, settings.accounts.spare).map((path, index) => ({
      path,
      label: `${name} spare ${index + 1}`,
    })),
  ]);
  const isOwn = (settings.chain.external?.operatorKey ?? null) === null;
  return [...(isOwn ? [{ path: operatorKeyFile(layout), label: 'operator' }] : []), ...parties];
}

/** Reads the private key from a user's file. @throws StackError KEY_INVALID */
export async function readUserKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StackError('KEY_INVALID', `The key file ${file} cannot be read.`, { cause });
  });
  if (isPrivateKey(text.trim())) return text.trim();
  throw new StackError('KEY_INVALID', `${file} does not hold a private key.`, {
    hint: 'It must be 0x and 64 hexadecimal digits, in lower case.',
  });
}

/** Stores the signing key of a party. @throws StackError NAME_EXISTS if it has a different one */
export async function importSigningKey(layout: Layout, party: string, key: string): Promise<void> {
  const path = signingKeyFile(layout, party);
  await makeDirectory(dirname(path));
  await createKey(path, key);
  await requireNoOtherKey(layout, party, key);
}

/** Checks that a party has no signing key, or this one. @throws StackError NAME_EXISTS */
export async function requireNoOtherKey(layout: Layout, party: string, key: string): Promise<void> {
  const path = signingKeyFile(layout, party);
  if (!(await exists(path)) || (await readFile(path, 'utf8')).trim() === key) return;
  throw new StackError('NAME_EXISTS', `${party} already signs with another key.`, {
    hint: `A member keeps its key, which is in ${path}. Name a file with the same key, or none.`,
    details: { path },
  });
}

async function createKey(path: string, key: string): Promise<void> {
  try {
    await createPrivateFile(path, `${key}\n`);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
}

async function requirePrivate(path: string, kind: 'file' | 'directory'): Promise<void> {
  const entry = await lstat(path).catch((cause: unknown) => {
    throw new StackError('KEY_INVALID', `The key ${kind} ${path} is missing.`, {
      hint: 'Put it back, or remove the stack and create it again.',
      cause,
    });
  });
  const isRight = kind === 'file' ? entry.isFile() : entry.isDirectory();
  const isOurs = entry.uid === process.getuid?.();
  if (isRight && isOurs && (entry.mode & 0o077) === 0) return;
  const mode = (entry.mode & 0o777).toString(8).padStart(4, '0');
  const wanted = kind === 'file' ? '0600' : '0700';
  const problem = !isRight
    ? `is not a ${kind}`
    : !isOurs
      ? 'belongs to another user'
      : `has mode ${mode}, not ${wanted}`;
  throw new StackError('KEY_NOT_PRIVATE', `${path} ${problem}: other users may have read it.`, {
    hint: `If no other user can have read it: chmod ${wanted} ${path}`,
    details: { path, mode },
  });
}

export function newPrivateKey(): string {
  for (;;) {
    const key = `0x${randomBytes(32).toString('hex')}`;
    if (isPrivateKey(key)) return key;
  }
}

/** A key derived from a published sentence, for tests that need the same accounts each time. */
function testKey(label: string): string {
  return `0x${createHash('sha256').update(`parley test key: ${label}`).digest('hex')}`;
}
