import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, killGroup, waitUntilGone } from './identity.js';
import { readJsonFile } from '../files/json-file.js';
import { SupervisorStatus } from '../control/view.js';

/** Children end within 2 s of the death of their supervisor. */
const orphanGraceMs = 2_500;
const killLimitMs = 5_000;

/**
 * Makes sure that no process of an earlier supervisor of this stack is running, since a data directory and a port have
 * one user at a time: orphans get time to end, then are killed. Removes the state file.
 *
 * @throws Error if the earlier supervisor itself is running, or an orphan cannot be killed
 */
export async function settleLeftovers(
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
      // A process may have been started and not recorded: its pid is unknown, but it ends on its own as an orphan.
      if (identity === null && last === 'starting') await sleep(orphanGraceMs);
      if (identity === null || (await waitUntilGone(identity, orphanGraceMs))) return;
      warn('An orphan is ended', { service: name, pid: identity.pid });
      if (await killGroup(identity, killLimitMs)) return;
      throw new Error(`${name} of an earlier run, pid ${identity.pid}, cannot be ended. End it by hand.`);
    }),
  );
  await rm(stateFile, { force: true });
}
