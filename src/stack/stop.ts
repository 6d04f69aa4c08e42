import { waitUntilGone } from '../supervisor/identity.js';
import { connectControl, type Control } from './control.js';
import { StackError } from './error.js';
import type { LocatedStack } from './locate.js';
import { withLock } from './lock.js';
import { findSupervisor, killStack } from './stale.js';

export interface StopOptions {
  /** The one party, or other service, to stop; the rest goes on. */
  readonly service?: string;
  /** Until everything is killed; 0 = no limit. Default: 10 s for one service, 30 s for the stack. */
  readonly timeoutMs?: number;
}

export interface StopResult {
  /** The names of the services that were running and are stopped. */
  readonly stopped: readonly string[];
  readonly alreadyStopped: boolean;
  /** Those that had to be killed. */
  readonly forced: readonly string[];
}

const defaultTimeoutMs = 30_000;
const endLimitMs = 5_000;

/**
 * Stops a stack in good order: nodes, store, chain, supervisor (cli, section 7). What is accepted stays on disk and
 * goes on at the next start.
 *
 * @throws StackError LOCKED, SERVICE_NOT_FOUND, LEFTOVERS when something cannot be ended
 */
export async function stopStack(stack: LocatedStack, options: StopOptions = {}): Promise<StopResult> {
  return withLock(stack.layout.lock, 'stop', () => stopUnlocked(stack, options));
}

/** `stopStack` for whoever holds the stack's lock already. */
export async function stopUnlocked(stack: LocatedStack, options: StopOptions = {}): Promise<StopResult> {
  const control = await findSupervisor(stack, true);
  if (control === undefined) return { stopped: [], alreadyStopped: true, forced: [] };
  return options.service === undefined
    ? stopAll(stack, control, options.timeoutMs ?? defaultTimeoutMs)
    : stopOne(control, options.service);
}

async function stopAll(stack: LocatedStack, control: Control, timeoutMs: number): Promise<StopResult> {
  const status = await control.status();
  const stopped = status.services.filter((view) => view.pid !== null).map((view) => view.name);
  const forced = await withinLimit(control.stop(), timeoutMs);
  if (forced !== undefined && (await waitUntilGone(status.identity, endLimitMs))) {
    return { stopped, alreadyStopped: false, forced };
  }
  const leftovers = await killStack(stack);
  if (leftovers.length > 0) {
    throw new StackError('LEFTOVERS', `These would not end: ${leftovers.join(', ')}.`, { details: { leftovers } });
  }
  return { stopped, alreadyStopped: false, forced: forced ?? stopped };
}

async function stopOne(control: Control, name: string): Promise<StopResult> {
  const view = (await control.status()).services.find((candidate) => candidate.name === name);
  if (view === undefined) throw serviceNotFound(name);
  if (view.state === 'stopped') return { stopped: [], alreadyStopped: true, forced: [] };
  const wasForced = await control.service(name, 'stop');
  return { stopped: [name], alreadyStopped: false, forced: wasForced ? [name] : [] };
}

/**
 * Stops one service of a running stack and starts it again.
 *
 * @throws StackError NOT_RUNNING, SERVICE_NOT_FOUND, LOCKED
 */
export async function restartService(stack: LocatedStack, name: string): Promise<void> {
  await withLock(stack.layout.lock, 'restart', async () => {
    const control = await connectControl(stack.layout);
    if (control === undefined) {
      throw new StackError('NOT_RUNNING', `The stack ${stack.name} is not running.`, {
        hint: `stack start ${stack.name}`,
      });
    }
    const { services } = await control.status();
    if (!services.some((view) => view.name === name)) throw serviceNotFound(name);
    await control.service(name, 'restart');
  });
}

function serviceNotFound(name: string): StackError {
  return new StackError('SERVICE_NOT_FOUND', `The stack has no service ${name}.`, { hint: 'stack status' });
}

/** Undefined when it does not come in time, or the supervisor ends under it. */
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
