import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { quote } from '../../client/curl.js';
import { InvalidFileError, readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { exists } from '../../supervisor/machine/directory.js';
import { StackError } from '../error.js';
import type { Place } from '../layout.js';
import { withLock } from './lock.js';

const Entry = Type.Object({
  directory: Type.String(),
  /** The directory of the project whose `stack.yaml` defines it. */
  project: Type.Optional(Type.String()),
  template: Type.String(),
  createdAt: Type.String(),
  /** Number of its block of ports, once it was started. */
  slot: Type.Optional(Type.Integer({ minimum: 0 })),
  startedAt: Type.Optional(Type.String()),
});
const RegistryFile = Type.Object({ version: Type.Literal(1), stacks: Type.Record(Type.String(), Entry) });

export type RegistryEntry = Static<typeof Entry>;
export type Registry = Readonly<Record<string, RegistryEntry>>;

/**
 * Every stack of this user by name. If the home was moved, directories are those below its new path.
 *
 * @throws StackError STATE_INVALID for an unreadable file, and for a home that was copied
 */
export async function readRegistry(place: Place): Promise<Registry> {
  const stacks = Object.entries(await readEntries(place));
  return Object.fromEntries(
    await Promise.all(stacks.map(async ([name, entry]) => [name, await placed(place, name, entry)] as const)),
  );
}

async function readEntries(place: Place): Promise<Registry> {
  try {
    return (await readJsonFile(registryFile(place), RegistryFile))?.stacks ?? {};
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new StackError('STATE_INVALID', cause.message, {
      hint:
        `It is the list of your stacks. Restore a copy of it, or delete it and, for each directory in ` +
        `${join(place.home, 'stacks')}: stack init NAME --if-missing`,
      cause,
    });
  }
}

/**
 * Corrects the directory of an entry if the home was moved. In a copied home, recorded paths are those of the original,
 * which a remove or reset of the copy must not touch; and a network must not run twice.
 */
async function placed({ home }: Place, name: string, entry: RegistryEntry): Promise<RegistryEntry> {
  const { directory } = entry;
  const own = join(home, basename(dirname(directory)), basename(directory));
  if (directory.startsWith(`${home}/`) || !(await exists(own))) return entry;
  // A path that this user cannot inspect belongs to another user.
  if (!(await exists(directory).catch(() => false))) return { ...entry, directory: own };
  // The home may have another path, for example through a link.
  if ((await realpath(own)) === (await realpath(directory))) return entry;
  const original = dirname(dirname(directory));
  throw new StackError('STATE_INVALID', `${home} is a copy of ${original}: ${name} is here and in ${directory}.`, {
    hint:
      `Use STACK_HOME=${quote(original)}, or move that away to use the copy. ` +
      'For a second network: stack snapshot restore NAME --as OTHER',
    details: { name, dir: directory },
  });
}

/**
 * Replaces the registry by the result of `change`, exclusively; `undefined` leaves it unchanged.
 *
 * @throws StackError LOCKED
 */
export async function changeRegistry(
  place: Place,
  change: (registry: Registry) => Promise<Registry | undefined> | Registry | undefined,
): Promise<void> {
  await withLock(join(place.home, 'registry.lock'), 'the registry', async () => {
    const stacks = await change(await readRegistry(place));
    if (stacks !== undefined) await writeJsonFile(registryFile(place), { version: 1, stacks });
  });
}

export function without(registry: Registry, name: string): Registry {
  return Object.fromEntries(Object.entries(registry).filter(([other]) => other !== name));
}

function registryFile(place: Place): string {
  return join(place.home, 'registry.json');
}
