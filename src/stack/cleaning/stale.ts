import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, killGroup } from '../../supervisor/machine/identity.js';
import { endOrphans } from '../../supervisor/machine/orphans.js';
import { connectControl, type Control } from '../control/control.js';
import { livingState, readState } from '../control/living.js';
import { sweepContainers } from '../engines/containers.js';
import type { LocatedStack } from '../places/locate.js';

/** Time from the first request to a supervisor that does not answer until it is killed. */
const silenceLimitMs = 20_000;
const pollMs = 100;
const killLimitMs = 5_000;
const silentAfterMs = 1_500;

/**
 * Called once if the supervisor of a stack is running but does not answer, with its pid and the time after which it is
 * killed. It may answer later.
 */
export type SilenceListener = (pid: number, limitMs: number) => void;

interface SupervisorSearch {
  readonly anyVersion?: boolean;
  readonly onSilent?: SilenceListener | undefined;
}

/**
 * The running supervisor of a stack, or undefined once nothing of the stack runs: a supervisor that does not respond is
 * killed, as are children of a dead supervisor, each identified by more than its pid.
 *
 * @throws Error if a process cannot be killed
 */
export async function findSupervisor(
  stack: LocatedStack,
  { anyVersion = false, onSilent }: SupervisorSearch = {},
): Promise<Control | undefined> {
  const search = findOrKill(stack, anyVersion);
  if (onSilent === undefined) return search;
  const [control] = await Promise.all([search, noteSilence(stack, search, onSilent)]);
  return control;
}

async function noteSilence(stack: LocatedStack, search: Promise<unknown>, onSilent: SilenceListener): Promise<void> {
  const isOver = search.then(
    () => true,
    () => true,
  );
  if (await Promise.race([isOver, sleep(silentAfterMs, false, { ref: false })])) return;
  const state = await livingState(stack);
  if (state !== undefined) onSilent(state.identity.pid, silenceLimitMs);
}

async function findOrKill({ layout, place }: LocatedStack, anyVersion: boolean): Promise<Control | undefined> {
  const end = performance.now() + silenceLimitMs;
  const control = await connectControl(layout, { anyVersion });
  if (control !== undefined) return control;
  const state = await livingState({ layout });
  if (state !== undefined) {
    for (; performance.now() < end; await sleep(pollMs)) {
      const late = await connectControl(layout, { anyVersion });
      if (late !== undefined) return late;
      if (!(await isAlive(state.identity))) break;
    }
    await killGroup(state.identity, killLimitMs);
  }
  await sweepContainers(layout, place.engine ?? {});
  await endOrphans(layout.state, () => undefined);
  return undefined;
}

/** Whether a supervisor of the stack is running, of any version, even if it does not answer. */
export async function hasSupervisor({ layout }: Pick<LocatedStack, 'layout'>): Promise<boolean> {
  if ((await livingState({ layout })) !== undefined) return true;
  return (await connectControl(layout, { anyVersion: true })) !== undefined;
}

/** `stopped` = by a command, or never started; `dead` = its process ended without being stopped. */
export async function supervisorState({
  layout,
}: Pick<LocatedStack, 'layout'>): Promise<'running' | 'stopped' | 'dead'> {
  const last = await readState(layout.state);
  if (last?.state !== 'running') return 'stopped';
  return (await isAlive(last.identity)) ? 'running' : 'dead';
}

/**
 * Kills all processes of a stack at once.
 *
 * @returns the names of those that could not be killed
 */
export async function killStack({ layout, place }: LocatedStack): Promise<string[]> {
  const state = await readState(layout.state);
  if (state === undefined) return sweepContainers(layout, place.engine ?? {});
  const processes = state.services.flatMap(({ name, identity }) => (identity === null ? [] : [{ name, identity }]));
  const all = [{ name: 'supervisor', identity: state.identity }, ...processes];
  const ended = await Promise.all(all.map(({ identity }) => killGroup(identity, killLimitMs)));
  const alive = all.filter((_, index) => ended[index] === false);
  // After the supervisor, which would restart them.
  return [
    ...(await sweepContainers(layout, place.engine ?? {})),
    ...alive.map(({ name, identity }) => `${name} (pid ${identity.pid})`),
  ];
}
