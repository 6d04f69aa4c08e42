import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Identity } from '../../supervisor/machine/identity.js';
import { readJsonFile, writeJsonFile } from '../../supervisor/files/json-file.js';
import { type Layout, type Place, ephemeralHome } from '../layout.js';
import type { RegistryEntry } from '../places/registry.js';

/** The file that marks the directory of a temporary stack and names its owner. */
const EphemeralFile = Type.Object({ owner: Identity, template: Type.String(), createdAt: Type.String() });
export type EphemeralFile = Static<typeof EphemeralFile>;

/** A temporary stack in the form of a registry entry. */
export interface EphemeralEntry {
  readonly owner: Identity;
  readonly entry: RegistryEntry;
}

const namePattern = /^run-[0-9a-f]{8}$/;

/** The temporary stack of a name; undefined if there is none. */
export async function ephemeralEntry(place: Place, name: string): Promise<EphemeralEntry | undefined> {
  if (!namePattern.test(name)) return undefined;
  const directory = join(ephemeralHome(place), name);
  const file = await readJsonFile(fileIn(directory), EphemeralFile).catch(() => undefined);
  if (file === undefined) return undefined;
  const { owner, template, createdAt } = file;
  return { owner, entry: { directory, template, createdAt } };
}

/** Marks the directory of a stack being built as temporary. */
export function writeEphemeralFile({ directory }: Pick<Layout, 'directory'>, content: EphemeralFile): Promise<void> {
  return writeJsonFile(fileIn(directory), content);
}

/** Removes the mark, so that only the user removes the stack. */
export function removeEphemeralFile({ directory }: Pick<Layout, 'directory'>): Promise<void> {
  return rm(fileIn(directory), { force: true });
}

function fileIn(directory: string): string {
  return join(directory, 'ephemeral.json');
}
