import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { runFolder } from './test-run.js';

/**
 * Creates a resource that all processes of a test run share. The first caller creates it, in a folder that is removed
 * with the run, and returns a text that says how to reach it; the others wait for that text.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<string>): Promise<string> {
  const folder = join(runFolder(), name);
  const made = join(folder, 'made');
  const failed = join(folder, 'failed');
  if (isFirst(folder)) {
    try {
      const text = await make(folder);
      // The rename makes the file appear with its whole text.
      writeFileSync(`${made}.new`, text);
      renameSync(`${made}.new`, made);
    } catch (error) {
      writeFileSync(failed, String(error));
      throw error;
    }
  }
  await eventually(() => {
    if (!existsSync(made) && !existsSync(failed)) throw new Error(`${name} is still being made.`);
  });
  if (existsSync(failed)) throw new Error(`${name} could not be made: ${readFileSync(failed, 'utf8')}`);
  return readFileSync(made, 'utf8');
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
