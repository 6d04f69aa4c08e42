import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import type { SupervisorStatus } from '../../supervisor/control/view.js';
import { writeFireflyFiles } from '../firefly-files.js';
import { requireBindable } from '../ports/bind.js';
import { type PortClaims, withPortClaims } from '../ports/claims.js';
import { keepDefinition } from '../definition/applied-definition.js';
import { beginPoolRecord, isNewParty, noteSettings, reviewChanges, type SettingChange } from '../definition/changes.js';
import { type Control } from '../control/control.js';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import { keepEvidence } from './evidence.js';
import { externalParties, keptExternal, requireExternal, requireSameExternal } from '../engines/external.js';
import { joinRunning, partiesOfRunning } from '../members/join.js';
import type { Stack } from '../places/locate.js';
import { defaultLimitMs, type LockLimit, withLock } from '../places/lock.js';
import { taskNames } from './plan.js';
import { changeRegistry } from '../places/registry.js';
import { readRunningPlan } from './running-plan.js';
import { findSupervisor } from '../cleaning/stale.js';
import { requireRoom } from '../places/room.js';
import { requireOwnForm } from '../upgrade/state-form.js';
import { forgetUpgrade } from '../upgrade/upgrade-record.js';
import { finishDiscard } from '../cleaning/discard.js';
import { finishRestore, forgetFormer } from '../snapshot/restoring/swap.js';
import { keepFailedStart } from '../control/failed-start.js';
import { startFailure } from './start-failure.js';
import { describeStack, type StackStatus } from '../status.js';
import { stopUnlocked } from './stop.js';
import { begin, heal, requireStartable, undo, waitFor } from './attempt.js';
import { defaultStartMs, type StartOptions } from './start-options.js';

/** The durations of the start's test message, at each party, from sending to confirmed. */
export interface Smoke {
  readonly durationMs: number;
  readonly parties: Readonly<Record<string, number>>;
}

export interface StartResult extends StackStatus {
  readonly alreadyRunning: boolean;
  readonly durationMs: number;
  /** Null if none was sent. */
  readonly smoke: Smoke | null;
  readonly changes: readonly SettingChange[];
}

const Mark = Type.Object({ confirmedAt: Type.String() });
const SmokeResult = Type.Object({ durationMs: Type.Integer(), parties: Type.Record(Type.String(), Type.Integer()) });

/**
 * Starts a stack from any state: healthy, partly dead, stopped, killed. Only missing services are started. Resolves
 * when everything is ready and, at the first start, a message was confirmed at every party; killing the command stops
 * nothing. A definition changed since the last start is applied, restarting running services, or refused as a whole. On
 * failure, everything that this call started is stopped, data and logs are kept, and evidence is copied to `crash/`.
 *
 * @throws StackError START_FAILED and START_TIMEOUT (details: service, message, lines, crash, log), PORT_IN_USE,
 * LOCKED, STATE_INVALID for a change that the network cannot apply, STATE_OLDER, STATE_NEWER,
 * KEY_NOT_PRIVATE, KEY_INVALID, PROTOCOL_MISMATCH, BIND_REFUSED, CONTROL_NOT_PRIVATE, PATH_TOO_LONG,
 * DISK_FULL, EXTERNAL_REFUSED, SERVICE_NOT_FOUND
 */
export async function startStack(asked: Stack, options: StartOptions = {}): Promise<StartResult> {
  const begunMs = performance.now();
  const begunAt = new Date().toISOString();
  const stack = boundTo(asked, options.host);
  return withLock(
    stack.layout.lock,
    'start',
    () =>
      withPortClaims((claims) => startUnlocked(stack, asked.settings, { ...options, claims }, { begunMs, begunAt })),
    limitFor(options),
  );
}

/** The limit for another holder: another start may take as long as this one; other commands are short. */
function limitFor({ timeoutMs = defaultStartMs, onWait }: StartOptions): LockLimit {
  let isReported = false;
  return (holder) => {
    if (!isReported) onWait?.(holder);
    isReported = true;
    return holder.purpose === 'start' ? timeoutMs : defaultLimitMs;
  };
}

async function startUnlocked(
  stack: Stack,
  defined: StackSettings,
  options: StartOptions & { readonly claims: PortClaims },
  { begunMs, begunAt }: { readonly begunMs: number; readonly begunAt: string },
): Promise<StartResult> {
  await finishRestore(stack.layout);
  await finishDiscard(stack.layout);
  await requireOwnForm(stack, { mayBeOlder: options.mayMigrate === true });
  const found = await findSupervisor(stack, options);
  // A start of only some services leaves the others unchanged.
  const changes = options.only === undefined ? await reviewChanges(stack.layout, defined, options) : [];
  // New parties join the running stack. For any other change it is stopped and started with the new settings.
  const mustStop = found !== undefined && !changes.every(isNewParty);
  if (changes.length > 0) await options.onChanges?.(changes, { isRunning: mustStop });
  if (found !== undefined && !mustStop) await letJoin(stack, found, changes, options);
  const named = [...new Set([...externalParties(stack.settings), ...(options.external ?? [])])];
  requireExternal(stack.settings, named);
  const kept = mustStop && options.external === undefined ? await keptExternal(stack.layout, changes) : [];
  if (mustStop) {
    await requireStartable(stack, options, { isRunning: true });
    await stopUnlocked(stack);
  }
  const running = mustStop ? undefined : found;
  const smoke = options.smoke ?? (options.only === undefined && !(await hasSmoked(stack)));
  if (running !== undefined && options.host !== undefined) await requireSameHost(stack);
  if (running !== undefined && options.external !== undefined) {
    await requireSameExternal(stack.layout, named);
  }
  if (running === undefined) {
    await requireRoom(stack);
    if (defined.tokens.pools.length > 0) await beginPoolRecord(stack.layout);
  }
  const external = [...new Set([...named, ...kept])];
  const attempt =
    running === undefined
      ? await begin(stack, { ...options, external }, smoke)
      : await heal(running, smoke, options.only);
  if (attempt.isDone) {
    const result = await resultOf(stack, attempt.status, begunMs, { alreadyRunning: true, smoke: false, changes });
    if (options.only === undefined) await forgetOlder(stack);
    return result;
  }
  await noteStart(stack);
  if (running === undefined) {
    await noteSettings(stack.layout, defined);
    await keepDefinition(stack.layout, stack.definitionFile);
  }
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
    const failure = await startFailure(stack, readiness, { crash, begunAt });
    if (attempt.started === 'everything') await keepFailedStart(stack.layout, failure, begunAt);
    throw failure;
  }
  const result = await resultOf(stack, readiness.status, begunMs, { alreadyRunning: false, smoke, changes });
  if (options.only === undefined) await forgetOlder(stack);
  return result;
}

/** The last step of a start, so that after a failure the old state can be restored or an upgrade continued. */
async function forgetOlder({ layout }: Stack): Promise<void> {
  await forgetFormer(layout);
  await forgetUpgrade(layout);
}

async function letJoin(
  stack: Stack,
  control: Control,
  changes: readonly SettingChange[],
  { timeoutMs, onProgress, onFunds }: StartOptions,
): Promise<void> {
  for (const { setting } of changes) {
    const members = await partiesOfRunning(stack.layout, await control.status());
    const name = setting.slice('parties.'.length);
    const limits = { ...(timeoutMs !== undefined && { timeoutMs }), ...(onProgress !== undefined && { onProgress }) };
    await joinRunning(stack, control, members, { name, ...limits, onFunds });
  }
}

/** A stack whose nodes listen on another address. @throws StackError BIND_REFUSED */
export function boundTo(stack: Stack, host: string | undefined): Stack {
  if (host === undefined) return stack;
  const settings = { ...stack.settings, bind: host };
  requireBindable(settings, { flag: '--host' });
  return { ...stack, settings };
}

/** A running stack keeps its address until it is stopped. @throws StackError BIND_REFUSED if another is requested */
async function requireSameHost({ layout, settings }: Stack): Promise<void> {
  const { host: actual } = await readRunningPlan(layout);
  if (actual === undefined || actual === settings.bind) return;
  throw new StackError('BIND_REFUSED', `--host: the stack runs already, and its nodes listen on ${actual}.`, {
    hint: `stack stop, then: stack start --host ${settings.bind}`,
    details: { bind: actual },
  });
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

interface StartCourse {
  readonly alreadyRunning: boolean;
  readonly smoke: boolean;
  readonly changes: readonly SettingChange[];
}

async function resultOf(
  stack: Stack,
  status: SupervisorStatus,
  begunMs: number,
  { alreadyRunning, smoke, changes }: StartCourse,
): Promise<StartResult> {
  const result = status.services.find((view) => view.name === taskNames.smoke)?.result;
  return {
    ...(await writeFireflyFiles(stack, await describeStack(stack, status))),
    alreadyRunning,
    durationMs: Math.round(performance.now() - begunMs),
    smoke: smoke && Value.Check(SmokeResult, result) ? result : null,
    changes,
  };
}
