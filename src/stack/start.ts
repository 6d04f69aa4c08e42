import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Identity, waitUntilGone } from '../supervisor/identity.js';
import { readJsonFile, writeJsonFile } from '../supervisor/json-file.js';
import { Plan } from '../supervisor/plan.js';
import type { SupervisorStatus } from '../supervisor/view.js';
import { deriveAccounts, fixGenesis, laterAddresses } from './accounts.js';
import { requireBindable } from './bind.js';
import { noteSettings, reviewChanges, type SettingChange } from './changes.js';
import { connectControl, type Control, forkSupervisor } from './control.js';
import { requireSocketPlace } from './control-socket.js';
import type { StackSettings } from './definition.js';
import { StackError } from './error.js';
import { keepEvidence } from './evidence.js';
import { readExternal, requireExternal, requireSameExternal, writeExternalConfigs } from './external.js';
import { checkKeys, createKeys } from './keys.js';
import type { Stack } from './locate.js';
import { defaultLimitMs, type LockHolder, type LockLimit, withLock } from './lock.js';
import { planOf, taskNames } from './plan.js';
import { assignPorts } from './ports.js';
import { missingOf, onlyChanges, type ProgressListener, type Readiness, scopeOf, waitUntilReady } from './readiness.js';
import { changeRegistry } from './registry.js';
import { findSupervisor } from './stale.js';
import { requireRoom } from './room.js';
import { startFailure } from './start-failure.js';
import { describeStack, type StackStatus } from './status.js';
import { stopUnlocked } from './stop.js';

export interface StartOptions {
  /** Until the stack must work, anew whenever a service says how far its start is; 0 = no limit. Default: 60 s. */
  readonly timeoutMs?: number;
  /** False: resolve when the supervisor runs, without waiting for the services. */
  readonly wait?: boolean;
  /** Send a message that must be confirmed everywhere. Default: at the first start. */
  readonly smoke?: boolean;
  /** Choose new ports. */
  readonly reassignPorts?: boolean;
  /** Where the API of each node listens this time, in place of `bind`. */
  readonly host?: string | undefined;
  /** Parties whose nodes their user runs, in a debugger for one. */
  readonly external?: readonly string[];
  /** The process for which alone the stack exists, and what it does as soon as the supervisor runs. */
  readonly owner?: { readonly identity: Identity; readonly take: (control: Control) => Promise<void> };
  /** Called with the view of each service and task whenever its state has changed. */
  readonly onProgress?: ProgressListener;
  /** Called once when another command works on the stack already; a start is joined, and waited for as long as this. */
  readonly onWait?: (holder: LockHolder) => void;
  /** Start and wait for these services alone, of a stack that runs; default: all. */
  readonly only?: readonly string[];
  /** Called before a changed definition is taken over; what runs is stopped for that and started again. */
  readonly onChanges?: (changes: readonly SettingChange[], stack: { readonly isRunning: boolean }) => Promise<void>;
}

/** What the message of a start that tried it took, at each party, from sending to confirmed. */
export interface Smoke {
  readonly durationMs: number;
  readonly parties: Readonly<Record<string, number>>;
}

export interface StartResult extends StackStatus {
  /** Nothing had to be done. */
  readonly alreadyRunning: boolean;
  readonly durationMs: number;
  /** Null when none was sent. */
  readonly smoke: Smoke | null;
  /** How the definition differed from what the stack was started with before. */
  readonly changes: readonly SettingChange[];
}

const defaultTimeoutMs = 60_000;
const endLimitMs = 5_000;
const Listening = Type.Object({ host: Type.String() });
const Mark = Type.Object({ confirmedAt: Type.String() });
const SmokeResult = Type.Object({ durationMs: Type.Integer(), parties: Type.Record(Type.String(), Type.Integer()) });

/**
 * Makes a stack work, from whatever state it is in: healthy already, partly dead, stopped, killed. Only what is
 * missing is started. It resolves when everything is ready and, at the first start, a message has been confirmed at
 * every party; a command that is killed meanwhile stops nothing. A definition that has changed since the last start is
 * taken over, for which what runs is started anew, or refused as a whole. When it fails, what this call started is
 * stopped again, data and logs stay, and what explains it is copied to `crash/`.
 *
 * @throws StackError START_FAILED and START_TIMEOUT (details: service, message, lines, crash, log), PORT_IN_USE,
 *   LOCKED, STATE_INVALID for a change that the network cannot take over, KEY_NOT_PRIVATE, KEY_INVALID,
 *   PROTOCOL_MISMATCH, BIND_REFUSED, CONTROL_NOT_PRIVATE, PATH_TOO_LONG, DISK_FULL,
 *   EXTERNAL_REFUSED, SERVICE_NOT_FOUND
 */
export async function startStack(asked: Stack, options: StartOptions = {}): Promise<StartResult> {
  const begunMs = performance.now();
  const begunAt = new Date().toISOString();
  const stack = boundTo(asked, options.host);
  return withLock(
    stack.layout.lock,
    'start',
    () => startUnlocked(stack, asked.settings, options, { begunMs, begunAt }),
    limitFor(options),
  );
}

/** Another start is waited for as long as one's own, since it does the same work; any other command is soon done. */
function limitFor({ timeoutMs = defaultTimeoutMs, onWait }: StartOptions): LockLimit {
  let isTold = false;
  return (holder) => {
    if (!isTold) onWait?.(holder);
    isTold = true;
    return holder.purpose === 'start' ? timeoutMs : defaultLimitMs;
  };
}

async function startUnlocked(
  stack: Stack,
  defined: StackSettings,
  options: StartOptions,
  { begunMs, begunAt }: { readonly begunMs: number; readonly begunAt: string },
): Promise<StartResult> {
  const found = await findSupervisor(stack);
  // Who starts some services alone of a stack that runs leaves the others as they are.
  const changes = options.only === undefined ? await reviewChanges(stack.layout, defined, options) : [];
  if (changes.length > 0) await options.onChanges?.(changes, { isRunning: found !== undefined });
  // What runs is stopped in good order: only then can it be started with other settings.
  const mustStop = found !== undefined && changes.length > 0;
  if (mustStop) await stopUnlocked(stack);
  const running = mustStop ? undefined : found;
  const smoke = options.smoke ?? (options.only === undefined && !(await hasSmoked(stack)));
  requireExternal(stack.settings, options.external ?? []);
  if (running !== undefined && options.host !== undefined) await requireSameHost(stack);
  if (running !== undefined && options.external !== undefined) {
    await requireSameExternal(stack.layout, options.external);
  }
  if (running === undefined) await requireRoom(stack);
  // What is started anew for its changes leaves to its user what it left before.
  const external = options.external ?? (mustStop ? await readExternal(stack.layout) : []);
  const attempt =
    running === undefined
      ? await begin(stack, { ...options, external }, smoke)
      : await heal(running, smoke, options.only);
  if (attempt.isDone) {
    return resultOf(stack, attempt.status, begunMs, { alreadyRunning: true, smoke: false, changes });
  }
  await noteStart(stack);
  if (running === undefined) await noteSettings(stack.layout, defined);
  if (options.wait === false) {
    const status = await attempt.control.status();
    return resultOf(stack, status, begunMs, { alreadyRunning: false, smoke: false, changes });
  }
  const readiness = await waitFor(attempt, smoke, options);
  if (readiness.outcome !== 'ready') {
    const crash = await keepEvidence(
      stack.layout,
      attempt.status.services.map((view) => view.name),
    );
    await undo(attempt);
    throw await startFailure(stack.layout, readiness, { crash, begunAt });
  }
  return resultOf(stack, readiness.status, begunMs, { alreadyRunning: false, smoke, changes });
}

function boundTo(stack: Stack, host: string | undefined): Stack {
  if (host === undefined) return stack;
  const settings = { ...stack.settings, bind: host };
  requireBindable(settings, '--host', stack.definitionFile);
  return { ...stack, settings };
}

/** What runs keeps its address until it is stopped. @throws StackError BIND_REFUSED when another is asked for now */
async function requireSameHost({ layout, settings }: Stack): Promise<void> {
  const plan = await readJsonFile(layout.plan, Plan);
  const node = plan?.services.find(({ kind }) => kind === 'node')?.config.value;
  const actual = Value.Check(Listening, node) ? node.host : undefined;
  if (actual === undefined || actual === settings.bind) return;
  throw new StackError('BIND_REFUSED', `--host: the stack runs already, and its nodes listen on ${actual}.`, {
    hint: 'stack stop, then stack start with --host again.',
    details: { bind: actual },
  });
}

interface Attempt {
  readonly control: Control;
  readonly status: SupervisorStatus;
  /** There was nothing to do. */
  readonly isDone: boolean;
  /** What this call started: everything, or the services named. */
  readonly started: 'everything' | readonly string[];
}

async function begin(stack: Stack, options: StartOptions, smoke: boolean): Promise<Attempt> {
  const { reassignPorts = false, owner, external = [] } = options;
  const { place, layout, settings, name } = stack;
  await requireSocketPlace(layout);
  await createKeys(layout, settings);
  await checkKeys(layout, settings);
  const accounts = await deriveAccounts(layout, settings);
  const genesis = await fixGenesis(layout, settings, accounts);
  const fund = laterAddresses(accounts, genesis);
  const ports = await assignPorts({ place, layout, name, settings, reassign: reassignPorts, external });
  const plan = planOf(layout, settings, ports, { genesis, fund, smoke, external, owner: owner?.identity });
  await writeJsonFile(layout.plan, plan);
  await writeExternalConfigs(layout, settings, ports, external);
  const control = await forkSupervisor(layout, place.environment).catch(async (error: unknown) => {
    // Another command may have been killed just after it had started one that answers only now.
    const other = await connectControl(layout);
    if (other === undefined) throw error;
    return other;
  });
  await owner?.take(control);
  return { control, status: await control.status(), isDone: false, started: 'everything' };
}

async function heal(control: Control, smoke: boolean, only?: readonly string[]): Promise<Attempt> {
  const status = await control.status();
  const scope = scopeOf(status, only);
  const missing = missingOf(scope, tasksOf(smoke));
  const wantsSmoke = smoke && scope.services.some((view) => view.name === taskNames.smoke && view.state !== 'starting');
  if (missing.length === 0 && !wantsSmoke) return { control, status, isDone: true, started: [] };
  const down = scope.services.filter(({ state }) => ['stopped', 'failed', 'paused'].includes(state));
  const started = down.map((view) => view.name);
  for (const name of started) await control.service(name, 'start');
  return { control, status, isDone: false, started };
}

/** The smoke task of a supervisor that runs already starts only when it is asked to, and only once the rest works. */
async function waitFor({ control, started }: Attempt, smoke: boolean, options: StartOptions): Promise<Readiness> {
  const { timeoutMs = defaultTimeoutMs } = options;
  const onProgress = onlyChanges(options.onProgress ?? (() => undefined));
  const scope = { tasks: tasksOf(false), only: options.only };
  const works = await waitUntilReady(control, scope, timeoutMs, onProgress);
  if (works.outcome !== 'ready' || !smoke) return works;
  if (started !== 'everything') await control.service(taskNames.smoke, 'start');
  return waitUntilReady(control, { tasks: tasksOf(true) }, timeoutMs, onProgress);
}

function tasksOf(smoke: boolean): string[] {
  const always = [taskNames.contracts, taskNames.pools];
  return smoke ? [...always, taskNames.smoke] : always;
}

async function hasSmoked(stack: Stack): Promise<boolean> {
  return (await readJsonFile(stack.layout.smoke, Mark)) !== undefined;
}

async function noteStart({ place, name }: Stack): Promise<void> {
  await changeRegistry(place, (registry) => {
    const entry = registry[name];
    return entry && { ...registry, [name]: { ...entry, startedAt: new Date().toISOString() } };
  });
}

interface Outcome {
  readonly alreadyRunning: boolean;
  readonly smoke: boolean;
  readonly changes: readonly SettingChange[];
}

async function resultOf(
  stack: Stack,
  status: SupervisorStatus,
  begunMs: number,
  { alreadyRunning, smoke, changes }: Outcome,
): Promise<StartResult> {
  const result = status.services.find((view) => view.name === taskNames.smoke)?.result;
  return {
    ...(await describeStack(stack, status)),
    alreadyRunning,
    durationMs: Math.round(performance.now() - begunMs),
    smoke: smoke && Value.Check(SmokeResult, result) ? result : null,
    changes,
  };
}

/** Stops what this call has started. A supervisor that still answered then would be joined by the next start. */
async function undo({ control, status, started }: Attempt): Promise<void> {
  try {
    if (started === 'everything') await control.stop();
    else for (const name of started) await control.service(name, 'stop');
  } catch {
    // A supervisor that is gone has taken its children with it, and the error that is on its way says more.
  }
  if (started === 'everything') await waitUntilGone(status.identity, endLimitMs);
}
