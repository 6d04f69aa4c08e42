import { randomBytes } from 'node:crypto';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InvalidFileError, isErrno, writeJsonFile } from '../../../supervisor/files/json-file.js';
import { makeDirectory, syncDirectory, writePrivateFile } from '../../../supervisor/files/private-file.js';
import { overwriteSettings } from '../../definition/changes.js';
import { requireName } from '../../create.js';
import { StackError } from '../../error.js';
import { type Layout, layoutOf, type Place, stackDirectory } from '../../layout.js';
import type { LocatedStack } from '../../places/locate.js';
import { withLock } from '../../places/lock.js';
import { stackSchema } from '../../definition/published-schema.js';
import { changeRegistry, readRegistry, type RegistryEntry } from '../../places/registry.js';
import { setIn } from '../../definition/render.js';
import { openStackFile, readStackText } from '../../definition/stack-file.js';
import { fullDisk } from '../full-disk.js';
import { copyIfPresent, pathsBelow, syncTree } from '../saving/copy.js';
import { type Manifest, readManifest, requireKnownForm } from '../manifest.js';
import { removeUnfinished, requireSnapshot } from '../places.js';
import { stage } from './restore.js';

export interface Fork {
  readonly name: string;
  readonly dir: string;
  readonly manifest: Manifest;
}

/** A snapshot outside of any stack, with the keys that belong to it. */
export interface Source {
  /** Its name in errors. */
  readonly name: string;
  readonly directory: string;
  readonly keys: string;
}

const copyPrefix = '.copy-';
const copyLimitMs = 600_000;
const copyBytes = 8;

/**
 * Creates a second stack from a snapshot of this one, with the same keys and history and with other ports. Nothing is
 * started. The two never mix: the nodes of each refuse those of the other.
 *
 * @throws StackError SNAPSHOT_NOT_FOUND, SNAPSHOT_INVALID, NAME_INVALID, NAME_EXISTS, LOCKED, DISK_FULL
 */
export async function forkSnapshot({ place, layout }: LocatedStack, snapshot: string, name: string): Promise<Fork> {
  const directory = await requireSnapshot(layout, snapshot);
  return createFork(place, { name: snapshot, directory, keys: layout.keys }, name);
}

/** Creates a stack from a snapshot that may belong to no stack here. @throws StackError as `forkSnapshot` */
export async function createFork(place: Place, source: Source, requested: string): Promise<Fork> {
  const name = requireName(requested);
  await requireFreeStack(place, name);
  const manifest = await readManifest(source.directory, source.name);
  requireKnownForm(manifest, source.name);
  const directory = stackDirectory(place, name);
  const stacks = dirname(directory);
  await makeDirectory(stacks);
  const lock = join(place.home, 'copy.lock');
  return withLock(
    lock,
    'snapshot restore --as',
    async () => {
      await removeUnfinished(stacks, copyPrefix);
      const building = join(stacks, `${copyPrefix}${randomBytes(6).toString('hex')}`);
      try {
        await mkdir(building, { mode: 0o700 });
        const template = await build(place, building, source, manifest, name);
        await register(place, building, name, { directory, template, createdAt: new Date().toISOString() });
      } catch (error) {
        await rm(building, { recursive: true, force: true });
        throw fullDisk(error);
      }
      return { name, dir: directory, manifest };
    },
    () => copyLimitMs,
  );
}

async function requireFreeStack(place: Place, name: string): Promise<void> {
  const existing = (await readRegistry(place))[name];
  if (existing !== undefined) throw nameExists(name, existing.directory);
}

/** Fills the directory of the new stack. Resolves with the name of its template. */
async function build(
  place: Place,
  building: string,
  source: Source,
  manifest: Manifest,
  name: string,
): Promise<string> {
  await stage(source.directory, building, manifest, source.name);
  await copyIfPresent(join(source.directory, 'accounts.json'), join(building, 'accounts.json'));
  await cp(source.keys, join(building, 'keys'), { recursive: true, preserveTimestamps: true });
  const layout = layoutOf(building, place);
  const text = await readStackText(join(source.directory, 'stack.yaml'));
  const path = join(stackDirectory(place, name), 'stack.yaml');
  const { settings } = openStackFile(text, path);
  const copy = randomBytes(copyBytes).toString('hex');
  // A defined base is the original's; ports that the system chooses cannot collide.
  const base = settings.ports.base === 'os' ? 'os' : 'auto';
  const changes: readonly (readonly [path: readonly string[], value: unknown])[] = [
    [['name'], name],
    [['copy'], copy],
    ...(base === settings.ports.base ? [] : [[['ports', 'base'], base] as const]),
    // Seed files are in the original's directory, and their effects are in the state.
    ...(settings.seed.length === 0 ? [] : [[['seed'], []] as const]),
    ...(Object.values(settings.hooks).flat().length === 0 ? [] : [[['hooks'], {}] as const]),
  ];
  const changed = changes.reduce((whole, [key, value]) => setIn(whole, key, value), text);
  openStackFile(changed, path);
  await writePrivateFile(layout.definition, changed);
  await writeJsonFile(layout.schema, stackSchema());
  await writeJsonFile(layout.versions, { version: 1, template: settings.template, schema: 'stack/v1' });
  await noteCopy(layout, copy, base);
  await syncTree(building, await pathsBelow(building));
  return settings.template;
}

/** Records the two settings that differ from the original, so that they do not count as changes by the user. */
async function noteCopy(layout: Layout, copy: string, base: 'os' | 'auto'): Promise<void> {
  try {
    await overwriteSettings(layout, { copy, 'ports.base': base });
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new StackError('SNAPSHOT_INVALID', cause.message, { cause });
  }
}

async function register(place: Place, building: string, name: string, entry: RegistryEntry): Promise<void> {
  await changeRegistry(place, async (registry) => {
    if (registry[name] !== undefined) throw nameExists(name, entry.directory);
    await rename(building, entry.directory).catch((cause: unknown) => {
      throw isErrno(cause, 'ENOTEMPTY', 'EEXIST') ? nameExists(name, entry.directory) : cause;
    });
    await syncDirectory(dirname(entry.directory));
    return { ...registry, [name]: entry };
  });
}

function nameExists(name: string, directory: string): StackError {
  return new StackError('NAME_EXISTS', `The stack ${name} already exists in ${directory}.`, {
    hint: 'Choose another name with --as.',
    details: { name, dir: directory },
  });
}
