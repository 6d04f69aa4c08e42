import { readFile, rm } from 'node:fs/promises';
import { isErrno } from '../../supervisor/files/json-file.js';
import { writePrivateFile } from '../../supervisor/files/private-file.js';
import type { Layout } from '../layout.js';

type AppliedPath = Pick<Layout, 'appliedDefinition'>;

/** Keeps a copy of the definition with which a stack is started, in case the file is broken while the stack runs. */
export async function keepDefinition({ appliedDefinition }: AppliedPath, definitionFile: string): Promise<void> {
  await writePrivateFile(appliedDefinition, await readFile(definitionFile, 'utf8'));
}

export async function forgetDefinition({ appliedDefinition }: AppliedPath): Promise<void> {
  await rm(appliedDefinition, { force: true });
}

/** The text of the copy; undefined before the first start. */
export async function readKeptDefinition({ appliedDefinition }: AppliedPath): Promise<string | undefined> {
  try {
    return await readFile(appliedDefinition, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}
