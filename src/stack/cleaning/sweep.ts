import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../../supervisor/machine/identity.js';
import { isErrno } from '../../supervisor/files/json-file.js';
import { endOrphans } from '../../supervisor/machine/orphans.js';
import { buildPrefix } from '../build.js';
import { removeRest } from './ephemeral.js';
import { ephemeralEntry } from './ephemeral-entry.js';
import { ephemeralHome, type Place } from '../layout.js';
import { locatedAs } from '../places/locate.js';
import { hasSupervisor } from './stale.js';

/** Building a stack takes a fraction of a second. */
const maxBuildMs = 60_000;

/**
 * Removes leftovers of temporary stacks whose owner and supervisor are both dead; a running supervisor removes its own
 * stack. Resolves with the removed names.
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
  // Children end after their supervisor has died; those that do not are killed.
  await endOrphans(stack.layout.state, () => undefined);
  return (await removeRest(stack)).length === 0;
}
