import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { databaseForm } from '../../ports/database-form.js';
import { InvalidFileError, isErrno, readJsonFile } from '../../supervisor/files/json-file.js';
import { StackError } from '../error.js';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Address = Type.String({ pattern: '^0x[0-9a-f]{40}$' });

/** The description of a snapshot: its network, time and files. */
export const Manifest = Type.Object({
  version: Type.Literal(1),
  stack: Type.String(),
  savedAt: Type.String(),
  /** The version of Parley that saved it. */
  parley: Type.String(),
  databaseForm: Type.Integer({ minimum: 0 }),
  chain: Type.Object({
    chainId: Type.Integer(),
    genesisHash: Type.String(),
    block: Type.Integer({ minimum: 0 }),
    hash: Type.String(),
  }),
  operator: Address,
  /** Party → its signing address. */
  parties: Type.Record(Type.String(), Address),
  /** All other files, by their paths. */
  files: Type.Record(
    Type.String({ minLength: 1 }),
    Type.Object({ sizeBytes: Type.Integer({ minimum: 0 }), sha256: Hash }),
  ),
});
export type Manifest = Static<typeof Manifest>;

export const manifestName = 'manifest.json';

/** Reads the manifest in the directory of a snapshot. @throws StackError SNAPSHOT_INVALID */
export async function readManifest(directory: string, name: string): Promise<Manifest> {
  try {
    const manifest = await readJsonFile(join(directory, manifestName), Manifest);
    if (manifest !== undefined) return manifest;
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new InvalidSnapshot(name, cause.message, cause);
  }
  throw new InvalidSnapshot(name, 'it has no manifest.');
}

/** Refuses a snapshot of a newer version. @throws StackError SNAPSHOT_INVALID */
export function requireKnownForm({ databaseForm: form, parley }: Manifest, name: string): void {
  if (form <= databaseForm) return;
  throw new StackError(
    'SNAPSHOT_INVALID',
    `Version ${parley} saved the snapshot ${name} in form ${form}; this version knows forms up to ${databaseForm}.`,
    { hint: 'Use that version, or a newer one.', details: { name, parley, databaseForm: form } },
  );
}

export async function describeFiles(root: string, paths: readonly string[]): Promise<Manifest['files']> {
  const files: Manifest['files'] = {};
  for (const path of paths) files[path] = await describeFile(join(root, path));
  return files;
}

/** Compares all files below a directory with the manifest. @throws StackError SNAPSHOT_INVALID for one that differs */
export async function requireIntact(root: string, { files }: Manifest, name: string): Promise<void> {
  for (const [path, expected] of Object.entries(files)) {
    const actual = await describeFile(join(root, path)).catch((cause: unknown) => {
      if (isErrno(cause, 'ENOENT', 'ENOTDIR')) throw new InvalidSnapshot(name, `${path} is missing.`, cause);
      throw cause;
    });
    if (actual.sizeBytes !== expected.sizeBytes || actual.sha256 !== expected.sha256) {
      throw new InvalidSnapshot(name, `${path} has changed since it was saved.`);
    }
  }
}

/** Refuses files that the manifest does not name. @throws StackError SNAPSHOT_INVALID */
export async function requireNoOthers(root: string, { files }: Manifest, name: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const stranger = paths
    .map((path) => path.slice(root.length + 1))
    .find((path) => path !== manifestName && !path.startsWith('keys/') && !Object.hasOwn(files, path));
  if (stranger !== undefined) throw new InvalidSnapshot(name, `${stranger} does not belong to it.`);
}

async function describeFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 })) {
    const bytes = Buffer.from(chunk);
    hash.update(bytes);
    sizeBytes += bytes.length;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** A snapshot that cannot be used. The hint is for a snapshot of a stack. */
export class InvalidSnapshot extends StackError {
  constructor(name: string, why: string, cause?: unknown) {
    super('SNAPSHOT_INVALID', `The snapshot ${name} cannot be used: ${why}`, {
      hint: `Remove it: stack snapshot remove ${name}`,
      details: { name },
      cause,
    });
  }
}
