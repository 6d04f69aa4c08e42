import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { runFolder } from './test-run.js';

/**
 * Makes something that all processes of a test run share. The first process to ask makes it, in a folder that goes with
 * the run, and says in a text how to reach it; the others wait for this text.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<string>): Promise<string> {
  const folder = join(runFolder(), name);
  const made = join(folder, 'made');
  const failed = join(folder, 'failed');
  if (isFirst(folder)) {
    try {
      const text = await make(folder);
      // A file that is there is whole.
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
