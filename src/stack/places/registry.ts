import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { InvalidFileError, readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
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

/** Every stack of this user by name. @throws StackError STATE_INVALID for an unreadable file */
export async function readRegistry(place: Place): Promise<Registry> {
  try {
    return (await readJsonFile(registryFile(place), RegistryFile))?.stacks ?? {};
  } catch (cause) {
    if (!(cause instanceof InvalidFileError)) throw cause;
    throw new StackError('STATE_INVALID', cause.message, {
      hint:
        `It is the list of your stacks. Bring back a copy of it, or delete it and, for each directory in ` +
        `${join(place.home, 'stacks')}: stack init NAME --if-missing`,
      cause,
    });
  }
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

/** The registry without one name. */
export function without(registry: Registry, name: string): Registry {
  return Object.fromEntries(Object.entries(registry).filter(([other]) => other !== name));
}

function registryFile(place: Place): string {
  return join(place.home, 'registry.json');
}
