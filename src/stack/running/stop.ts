import { waitUntilGone } from '../../supervisor/machine/identity.js';
import type { ServiceView, SupervisorStatus } from '../../supervisor/control/view.js';
import { nearestHint } from '../../wire/lists/query.js';
import { type Control, requireControl, statusOf } from '../control/control.js';
import { livingState } from '../control/living.js';
import { StackError } from '../error.js';
import { forgetFaults } from '../faults.js';
import type { LocatedStack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { findSupervisor, killStack, type SilenceListener } from '../cleaning/stale.js';

export interface StopOptions {
  /** The party or other service to stop; the others continue. */
  readonly service?: string;
  /** Time until everything, or the one service, is killed; 0 = no limit. Default: 30 s. */
  readonly timeoutMs?: number;
  readonly onSilent?: SilenceListener | undefined;
}

export interface StopResult {
  /** The names of the services that were running and are now stopped. */
  readonly stopped: readonly string[];
  readonly alreadyStopped: boolean;
  /** Those that had to be killed. */
  readonly forced: readonly string[];
}

const defaultTimeoutMs = 30_000;
const endLimitMs = 5_000;
const alreadyStopped: StopResult = { stopped: [], alreadyStopped: true, forced: [] };

/**
 * Stops a stack in order: nodes, store, chain, supervisor. Accepted work stays on disk and continues
 * at the next start.
 *
 * @throws StackError LOCKED, SERVICE_NOT_FOUND, LEFTOVERS if a process cannot be killed
 */
export async function stopStack(stack: LocatedStack, options: StopOptions = {}): Promise<StopResult> {
  return withLock(stack.layout.lock, 'stop', () => stopUnlocked(stack, options));
}

/** `stopStack` for a caller that holds the stack's lock. */
export async function stopUnlocked(stack: LocatedStack, options: StopOptions = {}): Promise<StopResult> {
  const silent = await livingState(stack);
  const control = await findSupervisor(stack, { anyVersion: true, onSilent: options.onSilent });
  if (control !== undefined && options.service !== undefined) {
    return stopOne(control, options.service, options.timeoutMs);
  }
  const result =
    control === undefined ? killedOf(silent) : await stopAll(stack, control, options.timeoutMs ?? defaultTimeoutMs);
  await forgetFaults(stack.layout);
  return result;
}

/** The result if there is no supervisor, or a `silent` one was killed with all its services. */
function killedOf(silent: SupervisorStatus | undefined): StopResult {
  if (silent === undefined) return alreadyStopped;
  const killed = namesOfRunning(silent.services);
  return { stopped: killed, alreadyStopped: false, forced: killed };
}

function namesOfRunning(services: readonly ServiceView[]): string[] {
  return services.filter((view) => view.pid !== null).map((view) => view.name);
}

async function stopAll(stack: LocatedStack, control: Control, timeoutMs: number): Promise<StopResult> {
  const status = await statusOf(control);
  if (status === undefined) return alreadyStopped;
  const stopped = namesOfRunning(status.services);
  const forced = await withinLimit(control.stop(), timeoutMs);
  if (forced !== undefined && (await waitUntilGone(status.identity, endLimitMs))) {
    return { stopped, alreadyStopped: false, forced };
  }
  const leftovers = await killStack(stack);
  if (leftovers.length > 0) {
    throw new StackError('LEFTOVERS', `These processes did not end: ${leftovers.join(', ')}.`, {
      hint: 'End them by hand, then repeat the command.',
      details: { leftovers },
    });
  }
  return { stopped, alreadyStopped: false, forced: forced ?? stopped };
}

async function stopOne(control: Control, name: string, timeoutMs = 0): Promise<StopResult> {
  const status = await control.status();
  const view = status.services.find((candidate) => candidate.name === name);
  if (view === undefined) throw serviceNotFound(name, status.services);
  if (view.state === 'stopped') return alreadyStopped;
  const wasForced = await control.service(name, 'stop', timeoutMs > 0 ? { graceMs: timeoutMs } : undefined);
  return { stopped: [name], alreadyStopped: false, forced: wasForced ? [name] : [] };
}

/**
 * Restarts one service of a running stack.
 *
 * @throws StackError NOT_RUNNING, SERVICE_NOT_FOUND, LOCKED
 */
export async function restartService(stack: LocatedStack, name: string): Promise<void> {
  await withLock(stack.layout.lock, 'restart', async () => {
    const control = await requireControl(stack);
    const { services } = await control.status();
    if (!services.some((view) => view.name === name)) throw serviceNotFound(name, services);
    await control.service(name, 'restart');
  });
}

function serviceNotFound(name: string, services: readonly ServiceView[]): StackError {
  const names = services.filter(({ type }) => type === 'service').map((view) => view.name);
  return new StackError('SERVICE_NOT_FOUND', `The stack has no service "${name}"${nearestHint(name, names)}`, {
    details: { name },
  });
}

/** Undefined on timeout, or if the supervisor ends meanwhile. */
async function withinLimit<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  if (limitMs === 0) return promise;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, limitMs);
  });
  try {
    return await Promise.race([promise.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
