import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isErrno, writeJsonFile } from '../supervisor/files/json-file.js';
import { createPrivateFile, makeDirectory, syncDirectory } from '../supervisor/files/private-file.js';
import type { StackSettings } from './definition/definition.js';
import { StackError } from './error.js';
import { createKeys } from './keys/keys.js';
import { type Layout, layoutOf, packageFile, type Place } from './layout.js';
import { stackSchema } from './definition/published-schema.js';
import { type BroughtFile, placeFiles } from './templates/template-files.js';
import type { RegistryEntry } from './places/registry.js';

/** Prefix of directories in which stacks are being built. */
export const buildPrefix = '.init-';

export interface BuildOptions {
  /** The text of `stack.yaml`; undefined if the project already has its definition. */
  readonly text: string | undefined;
  /** The files of the template, placed beside the definition. */
  readonly files?: readonly BroughtFile[];
  /** Writes further files into the directory before it is moved into place. */
  readonly prepare?: (layout: Layout) => Promise<void>;
}

/**
 * Builds the directory of a stack, with definition and keys, under a temporary name and renames it into place: a failed
 * or killed build leaves nothing there.
 *
 * @throws StackError NAME_EXISTS if the project has a different `stack.yaml`, or a different file of the template
 */
export async function buildStack(
  place: Place,
  entry: RegistryEntry,
  settings: StackSettings,
  { text, files = [], prepare }: BuildOptions,
): Promise<void> {
  const stacks = dirname(entry.directory);
  await makeDirectory(stacks);
  const directory = join(stacks, `${buildPrefix}${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(directory, { mode: 0o700 });
    const layout = layoutOf(directory, place);
    await createKeys(layout, settings);
    await writeJsonFile(layout.versions, { version: 1, template: entry.template, schema: 'stack/v1' });
    const definition = entry.project === undefined ? layout.definition : join(entry.project, 'stack.yaml');
    if (entry.project !== undefined) await createPrivateFile(layout.projectLink, `${definition}\n`);
    if (entry.project === undefined) await writeJsonFile(layout.schema, stackSchema());
    if (text !== undefined) await placeFiles(files, dirname(definition));
    if (text !== undefined) await writeDefinition(definition, schemaComment(entry.project) + text);
    await prepare?.(layout);
    await rename(directory, entry.directory);
    await syncDirectory(stacks);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function writeDefinition(path: string, text: string): Promise<void> {
  try {
    await createPrivateFile(path, text);
  } catch (cause) {
    if (!isErrno(cause, 'EEXIST')) throw cause;
    throw new StackError('NAME_EXISTS', `${path} already exists and is not a definition of a stack.`, {
      hint: 'Go to another directory, or leave out --here.',
      cause,
    });
  }
}

/**
 * The first line of a definition, from which YAML editors take the schema. A stack has a copy of the schema beside it.
 * A project refers to the installed package by a relative path, which is valid in other checkouts if the package is in
 * their `node_modules`.
 */
function schemaComment(project: string | undefined): string {
  const installed = packageFile('schemas/stack.schema.json');
  const path = project === undefined ? 'stack.schema.json' : relative(project, installed);
  return `# yaml-language-server: $schema=${path}\n`;
}
