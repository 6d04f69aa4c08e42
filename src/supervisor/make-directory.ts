import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a directory for this user alone, and those above it that are missing.
 *
 * The platform's recursive `mkdir` never ends below a directory that takes no entries, such as `/proc`.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await tryMake(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeDirectory(parent);
  await mkdirOnce(path);
}

/** False when a directory above it is missing. */
async function tryMake(path: string): Promise<boolean> {
  try {
    await mkdirOnce(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function mkdirOnce(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
