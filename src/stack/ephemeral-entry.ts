import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Identity } from '../supervisor/identity.js';
import { readJsonFile, writeJsonFile } from '../supervisor/json-file.js';
import { type Layout, type Place, ephemeralHome } from './layout.js';
import type { RegistryEntry } from './registry.js';

/** The file that marks a directory as that of an ephemeral stack, and says for whom it exists. */
const EphemeralFile = Type.Object({ owner: Identity, template: Type.String(), createdAt: Type.String() });
export type EphemeralFile = Static<typeof EphemeralFile>;

/** An ephemeral stack in the form in which the registry has the lasting ones. */
export interface EphemeralEntry {
  readonly owner: Identity;
  readonly entry: RegistryEntry;
}

const namePattern = /^run-[0-9a-f]{8}$/;

/** The ephemeral stack of a name; undefined when there is none. */
export async function ephemeralEntry(place: Place, name: string): Promise<EphemeralEntry | undefined> {
  if (!namePattern.test(name)) return undefined;
  const directory = join(ephemeralHome(place), name);
  const file = await readJsonFile(fileIn(directory), EphemeralFile).catch(() => undefined);
  if (file === undefined) return undefined;
  const { owner, template, createdAt } = file;
  return { owner, entry: { directory, template, createdAt } };
}

/** Marks the directory of a stack that is being made as that of an ephemeral one. */
export function writeEphemeralFile({ directory }: Pick<Layout, 'directory'>, content: EphemeralFile): Promise<void> {
  return writeJsonFile(fileIn(directory), content);
}

/** Makes the stack in a directory one that nobody removes but its user. */
export function removeEphemeralFile({ directory }: Pick<Layout, 'directory'>): Promise<void> {
  return rm(fileIn(directory), { force: true });
}

function fileIn(directory: string): string {
  return join(directory, 'ephemeral.json');
}
