import { randomBytes } from 'node:crypto';
import { access, constants, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { exists } from '../../supervisor/machine/directory.js';
import { isErrno } from '../../supervisor/files/json-file.js';
import { makeDirectory, syncDirectory } from '../../supervisor/files/private-file.js';
import { readAccounts } from '../keys/accounts.js';
import { packArchive, unpackArchive } from '../archive.js';
import { StackError } from '../error.js';
import type { Place } from '../layout.js';
import type { LocatedStack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { copyData, copyIfPresent, pathsBelow, syncTree } from './saving/copy.js';
import { createFork, type Fork } from './restoring/fork.js';
import { fullDisk } from './full-disk.js';
import {
  InvalidSnapshot,
  type Manifest,
  manifestName,
  readManifest,
  requireIntact,
  requireNoOthers,
} from './manifest.js';
import { removeUnfinished, requireFreeName, requireSnapshot, requireSnapshotName, unfinishedPrefix } from './places.js';
import { stateFiles } from './saving/save.js';

const importPrefix = `${unfinishedPrefix}import-`;
const importLimitMs = 600_000;

/**
 * Writes a snapshot with the keys of its stack as one `.tar.gz` that only its owner can read. Resolves with its path.
 * The name of the unfinished file beside it is unique to this stack, and its next export to that path replaces it.
 *
 * @throws StackError SNAPSHOT_NOT_FOUND, SNAPSHOT_INVALID if it is damaged, NAME_EXISTS if the file exists,
 *   EXPORT_REFUSED if it cannot be written, LOCKED
 */
export async function exportSnapshot({ layout }: LocatedStack, name: string, target: string): Promise<string> {
  const path = resolve(target);
  await requireWritable(dirname(path));
  await requireAbsent(path);
  return withLock(layout.lock, 'snapshot export', async () => {
    const directory = await requireSnapshot(layout, name);
    const manifest = await readManifest(directory, name);
    await requireIntact(directory, manifest, name);
    await removeUnfinished(layout.snapshots);
    const building = join(layout.snapshots, `${unfinishedPrefix}export-${randomBytes(6).toString('hex')}`);
    const unfinished = join(dirname(path), `.${basename(path)}.${layout.id}.tmp`);
    try {
      await rm(unfinished, { force: true });
      const root = join(building, name);
      await makeDirectory(root);
      await copyData(join(directory, 'data'), join(root, 'data'));
      for (const file of [...stateFiles, 'stack.yaml', manifestName]) {
        await copyIfPresent(join(directory, file), join(root, file));
      }
      await cp(layout.keys, join(root, 'keys'), { recursive: true });
      await packArchive(root, unfinished);
      await syncTree(dirname(unfinished), [basename(unfinished)]);
      await rename(unfinished, path);
      await syncDirectory(dirname(path));
      return path;
    } catch (error) {
      await rm(unfinished, { force: true });
      throw fullDisk(error);
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  });
}

async function requireAbsent(path: string): Promise<void> {
  if (!(await exists(path))) return;
  throw new StackError('NAME_EXISTS', `${path} already exists.`, { hint: 'Name another file.', details: { path } });
}

async function requireWritable(directory: string): Promise<void> {
  try {
    await access(`${directory}/.`, constants.W_OK);
  } catch (cause) {
    throw new StackError('EXPORT_REFUSED', `${directory} is not a writable folder.`, {
      hint: 'Name a file elsewhere.',
      cause,
    });
  }
}

export interface ImportedSnapshot {
  readonly name: string;
  readonly manifest: Manifest;
}

/**
 * Imports an exported snapshot of this stack's own network. The keys of the archive are dropped, since the stack has
 * them.
 *
 * @throws StackError ARCHIVE_INVALID, SNAPSHOT_INVALID if it is damaged or of another network, NAME_EXISTS, LOCKED
 */
export async function importSnapshot(
  { layout }: LocatedStack,
  file: string,
  requested: string | undefined,
): Promise<ImportedSnapshot> {
  return withLock(layout.lock, 'snapshot import', async () => {
    await makeDirectory(layout.snapshots);
    await removeUnfinished(layout.snapshots);
    return unpackInto(layout.snapshots, file, async (root, archived, manifest) => {
      const name = requested ?? archived;
      const directory = await requireFreeName(layout, name, ' with --name');
      await requireIntact(root, manifest, archived);
      if ((await readAccounts(layout))?.operator !== manifest.operator) {
        throw new StackError('SNAPSHOT_INVALID', `The snapshot in ${file} is of another network, with other keys.`, {
          hint: 'Make a stack of it: add --as NAME',
        });
      }
      await rm(join(root, 'keys'), { recursive: true, force: true });
      await syncTree(root, await pathsBelow(root));
      await rename(root, directory);
      await syncDirectory(layout.snapshots);
      return { name, manifest };
    });
  });
}

/**
 * Creates a stack from an exported snapshot, with the keys of the archive.
 *
 * @throws StackError as `importSnapshot` and `createFork`
 */
export async function importAsStack(place: Place, file: string, name: string): Promise<Fork> {
  await makeDirectory(place.home);
  const work = async (): Promise<Fork> => {
    await removeUnfinished(place.home, importPrefix);
    return unpackInto(place.home, file, (root, archived) =>
      createFork(place, { name: archived, directory: root, keys: join(root, 'keys') }, name),
    );
  };
  return withLock(join(place.home, 'import.lock'), 'snapshot import', work, () => importLimitMs);
}

/**
 * Unpacks an archive into a temporary directory, checks that it is one snapshot with keys, and passes it to `use`,
 * which must check the bytes of its files. Removes the directory afterwards.
 */
async function unpackInto<Result>(
  place: string,
  file: string,
  use: (root: string, name: string, manifest: Manifest) => Promise<Result>,
): Promise<Result> {
  const building = join(place, `${importPrefix}${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(building, { mode: 0o700 });
    await unpackArchive(resolve(file), building);
    const [name = '', ...others] = await readdir(building);
    if (others.length > 0) throw new InvalidSnapshot(file, 'the archive has more than one directory.');
    const root = join(building, requireSnapshotName(name));
    const manifest = await readManifest(root, name);
    await requireNoOthers(root, manifest, name);
    await requireKeys(root, name);
    return await use(root, name, manifest);
  } catch (error) {
    throw error instanceof InvalidSnapshot ? ofArchive(error) : fullDisk(error);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

/** The same error with the hint for a snapshot that is in no stack. */
function ofArchive(error: InvalidSnapshot): StackError {
  return new StackError(error.code, error.message, {
    hint: 'Export it again, or copy it again from where it was exported.',
    details: error.details,
    cause: error,
  });
}

async function requireKeys(root: string, name: string): Promise<void> {
  try {
    await access(join(root, 'keys', 'operator'));
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT', 'ENOTDIR')) throw cause;
    throw new InvalidSnapshot(name, 'its archive has no keys.', cause);
  }
}
