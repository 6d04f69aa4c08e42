import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../supervisor/identity.js';
import { isErrno, readJsonFile } from '../supervisor/json-file.js';
import { settleLeftovers } from '../supervisor/leftovers.js';
import { SupervisorStatus } from '../supervisor/view.js';
import { buildPrefix } from './build.js';
import { connectControl } from './control.js';
import { removeRest } from './ephemeral.js';
import { ephemeralEntry } from './ephemeral-entry.js';
import { ephemeralHome, type Place } from './layout.js';
import { locatedAs, type LocatedStack } from './locate.js';

/** Building one takes a fraction of a second. */
const maxBuildMs = 60_000;

/**
 * Removes what ephemeral stacks have left whose owner and supervisor are both dead; a supervisor that lives does that
 * itself. Resolves with the names of those removed.
 */
export async function sweepEphemerals(place: Place): Promise<readonly string[]> {
  const home = ephemeralHome(place);
  const swept = await Promise.all(
    (await namesIn(home)).map(async (name) => {
      const isSwept = name.startsWith(buildPrefix)
        ? await removeUnfinished(join(home, name))
        : await removeIfDead(place, name);
      return isSwept ? [name] : [];
    }),
  );
  return swept.flat();
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function removeUnfinished(directory: string): Promise<boolean> {
  const entry = await stat(directory).catch(() => undefined);
  if (entry === undefined || Date.now() - entry.mtimeMs < maxBuildMs) return false;
  await rm(directory, { recursive: true, force: true });
  return true;
}

async function removeIfDead(place: Place, name: string): Promise<boolean> {
  const found = await ephemeralEntry(place, name);
  if (found === undefined || (await isAlive(found.owner))) return false;
  const stack = locatedAs(place, name, found.entry);
  if (await hasSupervisor(stack)) return false;
  // Children end by themselves when their supervisor dies; those that do not are ended.
  await settleLeftovers(stack.layout.state, () => undefined);
  return (await removeRest(stack)).length === 0;
}

async function hasSupervisor({ layout }: LocatedStack): Promise<boolean> {
  if ((await connectControl(layout, { anyVersion: true })) !== undefined) return true;
  const state = await readJsonFile(layout.state, SupervisorStatus).catch(() => undefined);
  return state !== undefined && isAlive(state.identity);
}
