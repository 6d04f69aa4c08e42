import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, killGroup } from '../supervisor/identity.js';
import { readJsonFile } from '../supervisor/json-file.js';
import { settleLeftovers } from '../supervisor/leftovers.js';
import { SupervisorStatus } from '../supervisor/view.js';
import { connectControl, type Control } from './control.js';
import type { LocatedStack } from './locate.js';

const answerLimitMs = 15_000;
const pollMs = 100;
const killLimitMs = 5_000;

/**
 * The running supervisor of a stack, or undefined once nothing of the stack runs: a supervisor that lives and does not
 * answer is ended, and so are children whose supervisor is dead, each recognised by more than its pid (cli 17.7).
 *
 * @throws Error when something cannot be ended
 */
export async function findSupervisor({ layout }: LocatedStack, anyVersion = false): Promise<Control | undefined> {
  const control = await connectControl(layout, { anyVersion });
  if (control !== undefined) return control;
  const state = await readState(layout.state);
  if (state !== undefined && (await isAlive(state.identity))) {
    for (const end = performance.now() + answerLimitMs; performance.now() < end; await sleep(pollMs)) {
      const late = await connectControl(layout, { anyVersion });
      if (late !== undefined) return late;
      if (!(await isAlive(state.identity))) break;
    }
    await killGroup(state.identity, killLimitMs);
  }
  await settleLeftovers(layout.state, () => undefined);
  return undefined;
}

/**
 * Ends everything of a stack at once, without asking any of it.
 *
 * @returns the names of what would not end
 */
export async function killStack({ layout }: LocatedStack): Promise<string[]> {
  const state = await readState(layout.state);
  if (state === undefined) return [];
  const processes = state.services.flatMap(({ name, identity }) => (identity === null ? [] : [{ name, identity }]));
  const all = [{ name: 'supervisor', identity: state.identity }, ...processes];
  const ended = await Promise.all(all.map(({ identity }) => killGroup(identity, killLimitMs)));
  return all.filter((_, index) => ended[index] === false).map(({ name, identity }) => `${name} (pid ${identity.pid})`);
}

/** What cannot be read says nothing; the socket and the locks of the data directories still protect what runs. */
async function readState(path: string): Promise<SupervisorStatus | undefined> {
  return readJsonFile(path, SupervisorStatus).catch(() => undefined);
}
