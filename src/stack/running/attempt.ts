import { waitUntilGone } from '../../supervisor/machine/identity.js';
import { writeJsonFile } from '../../supervisor/files/json-file.js';
import type { SupervisorStatus } from '../../supervisor/control/view.js';
import { findSupervisor } from '../cleaning/stale.js';
import { readGuests } from '../members/admit.js';
import { deriveAccounts, fixGenesis, laterAddresses, requireFormerKeys } from '../keys/accounts.js';
import { connectControl, type Control } from '../control/control.js';
import { forkSupervisor } from '../control/processes.js';
import { requireSocketPlace } from '../control/control-socket.js';
import { prepareChain } from '../engines/external-chain.js';
import { inspectDatabases } from '../engines/external-database.js';
import { findEngine } from '../engines/engines.js';
import { inspectStore } from '../engines/external-store.js';
import { prepareContainers } from '../engines/containers.js';
import { externalParties, requireExternal, writeExternalConfigs } from '../engines/external.js';
import { loadSqlite } from '../engines/sqlite.js';
import { forgetFaults } from '../faults.js';
import { forgetFailedStart } from '../control/failed-start.js';
import { forgetJoins } from '../members/join.js';
import { forgetLaterParties } from '../members/later-parties.js';
import { checkKeys, createKeys } from '../keys/keys.js';
import type { Stack } from '../places/locate.js';
import { requireRoom } from '../places/room.js';
import { planOf, taskNames } from './plan.js';
import type { PortClaims } from '../ports/claims.js';
import { assignPorts, checkPorts } from '../ports/ports.js';
import { missingOf, onlyChanges, type Readiness, scopeOf, waitUntilReady } from './readiness.js';
import { defaultStartMs, type StartOptions } from './start-options.js';

const endLimitMs = 5_000;

/** One attempt to bring a stack up, under its lock. */
export interface Attempt {
  readonly control: Control;
  readonly status: SupervisorStatus;
  /** Whether nothing had to be done. */
  readonly isDone: boolean;
  /** Everything that this call started: the whole stack, or the named services. */
  readonly started: 'everything' | readonly string[];
}

/** The options of a start of a stopped stack, with the claims of its ports. */
type Beginning = StartOptions & { readonly claims: PortClaims };

/** Starts the supervisor of a stopped stack. Its process loads while its plan is being written. */
export async function begin(stack: Stack, options: Beginning, smoke: boolean): Promise<Attempt> {
  const { place, layout } = stack;
  await requireSocketPlace(layout);
  const supervisor = forkSupervisor(layout, place.environment);
  try {
    await writePlan(stack, options, smoke);
  } catch (error) {
    supervisor.dismiss();
    throw error;
  }
  options.onLaunch?.();
  const control = await supervisor.begin().catch(async (error: unknown) => {
    // Another command may have been killed just after starting one that responds only now.
    const other = await connectControl(layout);
    if (other === undefined) throw error;
    return other;
  });
  await options.owner?.take(control);
  return { control, status: await control.status(), isDone: false, started: 'everything' };
}

/** Writes the plan of a stack, and creates everything that it names: keys, accounts, ports, containers. */
async function writePlan(stack: Stack, options: Beginning, smoke: boolean): Promise<void> {
  const { reassignPorts = false, owner, external = [], claims } = options;
  const { place, layout, settings, name } = stack;
  const { engine, accounts, containers } = await prepareResources(stack, options, { isStopped: external.length === 0 });
  await forgetFaults(layout);
  await forgetFailedStart(layout);
  await forgetJoins(layout);
  await forgetLaterParties(layout);
  const genesis = await fixGenesis(layout, settings, accounts);
  const fund = settings.chain.external === null ? laterAddresses(accounts, genesis) : [];
  const ports = await assignPorts({ place, layout, name, settings, reassign: reassignPorts, external, claims });
  const guests = await readGuests(layout);
  const whole = { genesis, fund, smoke, external, engine, containers, guests, owner: owner?.identity };
  await writeJsonFile(layout.plan, planOf(layout, settings, ports, whole));
  await writeExternalConfigs(layout, settings, ports, external);
}

/**
 * Prepares everything that a start needs besides disk space and ports: the engine, keys, and what others run. With
 * `isAnew`, the contracts of earlier starts are ignored.
 *
 * @throws StackError as `findEngine`, `requireFormerKeys`, `createKeys`, `checkKeys`, `inspectStore`, `prepareChain`,
 * `inspectDatabases`, `prepareContainers`
 */
async function prepareResources(
  stack: Stack,
  { timeoutMs = defaultStartMs, onFunds }: StartOptions,
  { isStopped, isAnew = false }: { readonly isStopped: boolean; readonly isAnew?: boolean },
) {
  const { place, layout, settings } = stack;
  const engine = await findEngine(settings, place);
  if (!isAnew) await requireFormerKeys(layout, settings);
  await createKeys(layout, settings);
  await checkKeys(layout, settings);
  const accounts = await deriveAccounts(layout, settings);
  if (settings.store.external !== null) await inspectStore(settings.store.external);
  await prepareChain(stack, { timeoutMs, onFunds, isAnew });
  await inspectDatabases(settings, { isStopped });
  const containers = await prepareContainers(layout, settings, place.engine ?? {});
  return { engine, accounts, containers };
}

/** The state of the stack at a later start. */
export interface Startable {
  /** Whether the stack itself runs until then and has the ports. */
  readonly isRunning: boolean;
  /** Bytes on its disk that will be free by then. */
  readonly freedBytes?: number;
  /** Whether a new network will begin. */
  readonly isAnew?: boolean;
}

/**
 * Checks everything that a start will check, so that a start that is certain to fail does so before anything is stopped
 * or deleted for it.
 *
 * @throws StackError as `startStack`
 */
export async function requireStartable(
  stack: Stack,
  options: StartOptions,
  { isRunning, freedBytes = 0, isAnew = false }: Startable,
): Promise<void> {
  const { layout, settings } = stack;
  const external = [...externalParties(settings), ...(options.external ?? [])];
  requireExternal(settings, external);
  await loadSqlite();
  await requireSocketPlace(layout);
  await requireRoom(stack, freedBytes);
  await prepareResources(stack, options, { isStopped: false, isAnew });
  if (isRunning || options.reassignPorts === true) return;
  // Ends the processes of a dead supervisor, which may have the ports.
  await findSupervisor(stack, { anyVersion: true });
  await checkPorts(layout, settings, external);
}

/** Starts the services of a running stack that are down: all, or the named ones. */
export async function heal(control: Control, smoke: boolean, only?: readonly string[]): Promise<Attempt> {
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

/** Waits for the stack. The smoke task of a running supervisor is started by name, once the rest is healthy. */
export async function waitFor(
  { control, started }: Attempt,
  smoke: boolean,
  options: StartOptions,
): Promise<Readiness> {
  const { timeoutMs = defaultStartMs } = options;
  const onProgress = onlyChanges(options.onProgress ?? (() => undefined));
  const scope = { tasks: tasksOf(false), only: options.only };
  const readiness = await waitUntilReady(control, scope, timeoutMs, onProgress);
  if (readiness.outcome !== 'ready' || !smoke) return readiness;
  if (started !== 'everything') await control.service(taskNames.smoke, 'start');
  return waitUntilReady(control, { tasks: tasksOf(true) }, timeoutMs, onProgress);
}

function tasksOf(smoke: boolean): string[] {
  const always = [taskNames.contracts, taskNames.pools];
  return smoke ? [...always, taskNames.smoke] : always;
}

/** Stops everything that this call has started; the next start would join a supervisor that still responds. */
export async function undo({ control, status, started }: Attempt): Promise<void> {
  try {
    if (started === 'everything') await control.stop();
    else for (const name of started) await control.service(name, 'stop');
  } catch {
    // The children of a dead supervisor end, too. The pending error is more useful than this one.
  }
  if (started === 'everything') await waitUntilGone(status.identity, endLimitMs);
}
