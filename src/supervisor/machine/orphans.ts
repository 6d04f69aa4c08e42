import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, killGroup, waitUntilGone } from './identity.js';
import { readJsonFile } from '../files/json-file.js';
import { SupervisorStatus } from '../control/view.js';

/** Children end within 2 s of the death of their supervisor. */
const orphanGraceMs = 2_500;
const killLimitMs = 5_000;

/**
 * Ends the processes that an earlier supervisor of this stack has left, since a data directory and a port have one user
 * at a time: orphans get time to end, then are killed. Removes the state file.
 *
 * @throws Error if the earlier supervisor itself is running, or an orphan cannot be killed
 */
export async function endOrphans(
  stateFile: string,
  warn: (sentence: string, fields: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const state = await readJsonFile(stateFile, SupervisorStatus).catch((error: unknown) => {
    warn('The state of the last run cannot be read', { error: String(error) });
    return undefined;
  });
  if (state === undefined) return;
  if (await isAlive(state.identity)) {
    throw new Error(`Another supervisor of this stack is running, pid ${state.identity.pid}.`);
  }
  await Promise.all(
    state.services.map(async ({ name, identity, state: last }) => {
      // A process may have been started and not recorded: its pid is unknown, but as an orphan it ends.
      if (identity === null && last === 'starting') await sleep(orphanGraceMs);
      if (identity === null || (await waitUntilGone(identity, orphanGraceMs))) return;
      warn('An orphan of an earlier supervisor is killed', { service: name, pid: identity.pid });
      if (await killGroup(identity, killLimitMs)) return;
      throw new Error(`Cannot kill ${name} of an earlier run, pid ${identity.pid}. Kill it by hand.`);
    }),
  );
  await rm(stateFile, { force: true });
}
