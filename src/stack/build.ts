import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isErrno, writeJsonFile } from '../supervisor/json-file.js';
import { createPrivateFile, makeDirectory, syncDirectory } from '../supervisor/private-file.js';
import type { StackSettings } from './definition.js';
import { StackError } from './error.js';
import { createKeys } from './keys.js';
import { type Layout, layoutOf, packageFile, type Place } from './layout.js';
import { stackSchema } from './published-schema.js';
import type { RegistryEntry } from './registry.js';

/** Begins the names of directories in which stacks are being built. */
export const buildPrefix = '.init-';

export interface BuildOptions {
  /** The text of `stack.yaml`; undefined where the project has its definition already. */
  readonly text: string | undefined;
  /** Writes what else belongs into the directory before it is put in place. */
  readonly prepare?: (layout: Layout) => Promise<void>;
}

/**
 * Makes the directory of a stack, its definition and keys, aside and puts it in place by one rename: one that fails or
 * is killed leaves nothing there.
 *
 * @throws StackError NAME_EXISTS when the project's `stack.yaml` is something else
 */
export async function buildStack(
  place: Place,
  entry: RegistryEntry,
  settings: StackSettings,
  { text, prepare }: BuildOptions,
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
    throw new StackError('NAME_EXISTS', `${path} is there already and is no definition of a stack.`, {
      hint: 'Go to another directory, or leave out --here.',
      cause,
    });
  }
}

/**
 * The first line of a definition, by which editors that know YAML complete and check it. A stack has a copy of the
 * schema beside it. A project, which others check out elsewhere, names the file of the package in its `node_modules`
 * where that is what runs, else the installed one.
 */
function schemaComment(project: string | undefined): string {
  const installed = packageFile('schemas/stack.schema.json');
  const inside = project === undefined ? 'stack.schema.json' : relative(project, installed);
  return `# yaml-language-server: $schema=${inside.startsWith('..') ? installed : inside}\n`;
}
