import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { databaseForm } from '../../../ports/database-form.js';
import { readJsonFile } from '../../../supervisor/files/json-file.js';
import type { ServiceView } from '../../../supervisor/control/view.js';
import { readAccounts } from '../../keys/accounts.js';
import { reviewChanges } from '../../definition/changes.js';
import { StackError } from '../../error.js';
import type { Layout } from '../../layout.js';
import type { Stack } from '../../places/locate.js';
import { withLock } from '../../places/lock.js';
import { readRunningPlan } from '../../running/running-plan.js';
import { findSupervisor } from '../../cleaning/stale.js';
import { startStack, type StartResult } from '../../running/start.js';
import type { StartOptions } from '../../running/start-options.js';
import { stopUnlocked } from '../../running/stop.js';
import { copyData, copyIfPresent, pathsBelow, syncTree } from '../saving/copy.js';
import { fullDisk } from '../full-disk.js';
import { invalid, type Manifest, readManifest, requireIntact, requireKnownForm } from '../manifest.js';
import { requireSnapshot } from '../places.js';
import { requireOwnEngines } from '../saving/save.js';
import {
  finishRestore,
  forgetFormer,
  hasFormer,
  makeStaged,
  readSwap,
  type Swap,
  swappedNames,
  swapState,
  undoSwap,
} from './swap.js';

export interface RestoreOptions extends StartOptions {
  /** Default: start again if it was running. */
  readonly restart?: boolean;
}

/** The part of a supervisor that a restore needs. */
interface Running {
  status(): Promise<{ readonly services: readonly Pick<ServiceView, 'name' | 'type' | 'kind'>[] }>;
  service(name: string, action: 'stop'): Promise<unknown>;
}

/** How a restore meets what runs; tests have others. */
export interface Services {
  readonly find: (stack: Stack) => Promise<Running | undefined>;
  readonly start: (stack: Stack, options: StartOptions) => Promise<StartResult>;
}
const realServices: Services = { find: findSupervisor, start: startStack };

export interface RestoreResult {
  readonly restored: string;
  readonly manifest: Manifest;
  /** Null when the stack is stopped. */
  readonly start: StartResult | null;
  /** Whether the state is of an older version, so that a start refuses it until it is upgraded. */
  readonly isOlder: boolean;
}

/**
 * Brings a network back to a snapshot: the chain, the store and the data of every party. Definition, keys, ports and
 * logs stay. The old state stays aside until the new one works, and comes back when it does not. A restore that is
 * killed has changed all or nothing.
 *
 * @throws StackError SNAPSHOT_NOT_FOUND, SNAPSHOT_INVALID for one that is damaged, newer than this program or of
 *   another network, STATE_INVALID when the definition does not fit it, LOCKED, DISK_FULL; as `startStack` does
 */
export async function restoreSnapshot(
  stack: Stack,
  name: string,
  options: RestoreOptions = {},
  services = realServices,
): Promise<RestoreResult> {
  const { layout } = stack;
  const { restart = true, ...startOptions } = options;
  await requireOwnEngines(stack);
  const saved = await requireRestorable(stack, name);
  const { manifest } = saved;
  const { swap, wasRunning } = await putInPlace(stack, saved, services);
  const isOlder = manifest.databaseForm < databaseForm;
  if (!wasRunning || !restart || isOlder) {
    // Only a start shows that it works; the one that comes deletes the old state.
    if (wasRunning) await withLock(layout.lock, 'stop', () => stopUnlocked(stack));
    return { restored: name, manifest, start: null, isOlder };
  }
  try {
    const start = await services.start(stack, { smoke: false, ...startOptions });
    return { restored: name, manifest, start, isOlder };
  } catch (error) {
    const isUndone = await withLock(layout.lock, 'snapshot restore', async () => {
      // A start that fails after its last step has found that the new state works: only that is left.
      if (!(await hasFormer(layout, swap))) return false;
      const control = await services.find(stack);
      if (control !== undefined) await stopServices(control);
      await undoSwap(layout, swap);
      return true;
    });
    if (isUndone) await services.start(stack, { smoke: false });
    throw error;
  }
}

interface Saved {
  readonly name: string;
  readonly directory: string;
  readonly manifest: Manifest;
}

/**
 * Checks that a stack can go back to a snapshot, as far as its manifest says.
 *
 * @throws StackError SNAPSHOT_NOT_FOUND, NAME_INVALID, SNAPSHOT_INVALID
 */
export async function requireRestorable(stack: Stack, name: string): Promise<Saved> {
  const directory = await requireSnapshot(stack.layout, name);
  const manifest = await readManifest(directory, name);
  requireKnownForm(manifest, name);
  await requireSameNetwork(stack, manifest, name);
  return { name, directory, manifest };
}

interface InPlace {
  readonly swap: Swap;
  readonly wasRunning: boolean;
}

/** Stops what runs and puts the state of a snapshot in place. When that fails before its first step, all goes on. */
async function putInPlace(stack: Stack, { name, directory, manifest }: Saved, services: Services): Promise<InPlace> {
  const { layout } = stack;
  let mustGoOn = false;
  try {
    return await withLock(layout.lock, 'snapshot restore', async () => {
      await finishRestore(layout);
      await forgetFormer(layout);
      const staged = await makeStaged(layout);
      try {
        await stage(directory, staged, manifest, name);
        await syncTree(staged, await pathsBelow(staged));
        await reviewChanges(stagedLayout(layout, staged), stack.settings);
        const control = await services.find(stack);
        const isSame = control !== undefined && (await canGoOn(layout, staged));
        mustGoOn = control !== undefined;
        // One that goes on keeps the ports which the system has chosen, and the process that it exists for.
        if (isSame) await stopServices(control);
        else if (control !== undefined) await stopUnlocked(stack);
        return { swap: await swapState(layout, staged, name), wasRunning: control !== undefined };
      } catch (error) {
        const hasBegun = (await readSwap(layout)) !== undefined;
        // Both states are partly in place: the next command goes on, and needs what is still aside.
        if (hasBegun) mustGoOn = false;
        else await rm(staged, { recursive: true, force: true });
        throw fullDisk(error, hasBegun ? 'the next stack start goes on with this restore' : undefined);
      }
    });
  } catch (error) {
    if (mustGoOn) await services.start(stack, { smoke: false });
    throw error;
  }
}

/**
 * Copies the state of a snapshot, after a look whether it is what was saved; syncs nothing.
 *
 * @throws StackError SNAPSHOT_INVALID
 */
export async function stage(directory: string, staged: string, manifest: Manifest, name: string): Promise<void> {
  await requireIntact(directory, manifest, name);
  await copyData(join(directory, 'data'), join(staged, 'data'));
  for (const file of swappedNames) {
    if (file !== 'data') await copyIfPresent(join(directory, file), join(staged, file));
  }
}

function stagedLayout(layout: Layout, staged: string): Layout {
  const inside = (...names: string[]): string => join(staged, ...names);
  const [applied, contracts] = [inside('applied.json'), inside('contracts.json')];
  return { ...layout, applied, contracts, pools: inside('data', 'pools.json') };
}

/** Keys are not in a snapshot, so it fits the stack alone whose keys its network knows. */
async function requireSameNetwork({ layout, name: stack }: Stack, manifest: Manifest, name: string): Promise<void> {
  const accounts = await readAccounts(layout);
  const isOperators = accounts === undefined || accounts.operator === manifest.operator;
  const stranger = Object.entries(manifest.parties).find(([party, address]) => {
    const own = accounts?.parties[party]?.signing;
    return own !== undefined && own !== address;
  });
  if (isOperators && stranger === undefined) return;
  throw invalid(name, `it is of another network than that of ${stack}, with other keys.`);
}

/**
 * Tells whether the supervisor's plan fits the staged state too.
 *
 * @throws StackError SNAPSHOT_REFUSED when it does not, and the stack exists for one process alone
 */
async function canGoOn(layout: Layout, staged: string): Promise<boolean> {
  if (await hasSameBeginning(layout, staged)) return true;
  if ((await readRunningPlan(layout)).owner === undefined) return false;
  throw new StackError('SNAPSHOT_REFUSED', 'A stack of `run` goes back to its own snapshots alone.');
}

const Content = Type.Unknown();

/** Whether a plan made for the present state is one for the staged state too. */
async function hasSameBeginning(layout: Layout, staged: string): Promise<boolean> {
  for (const path of [layout.genesis, layout.contracts, layout.applied]) {
    const [present, next] = await Promise.all([
      readJsonFile(path, Content),
      readJsonFile(join(staged, path.slice(layout.directory.length + 1)), Content),
    ]);
    if (!isDeepStrictEqual(present, next)) return false;
  }
  return true;
}

/** Stops all services, those that depend on others first. Tasks that have ended are no part of what runs. */
async function stopServices(control: Running): Promise<void> {
  const services = (await control.status()).services.filter(({ type }) => type === 'service');
  const ofKind = (isNode: boolean) => services.filter(({ kind }) => (kind === 'node') === isNode);
  await Promise.all(ofKind(true).map(({ name }) => control.service(name, 'stop')));
  for (const { name } of ofKind(false).toReversed()) await control.service(name, 'stop');
}
