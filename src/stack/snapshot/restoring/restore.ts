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
import { InvalidSnapshot, type Manifest, readManifest, requireIntact, requireKnownForm } from '../manifest.js';
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

/** The part of a supervisor that a restore uses. */
interface Running {
  status(): Promise<{ readonly services: readonly Pick<ServiceView, 'name' | 'type' | 'kind'>[] }>;
  service(name: string, action: 'stop'): Promise<unknown>;
}

/** The supervisor and the start that a restore uses; tests pass others. */
export interface Services {
  readonly find: (stack: Stack) => Promise<Running | undefined>;
  readonly start: (stack: Stack, options: StartOptions) => Promise<StartResult>;
}
const realServices: Services = { find: findSupervisor, start: startStack };

export interface RestoreResult {
  readonly restored: string;
  readonly manifest: Manifest;
  /** Null if the stack is stopped. */
  readonly start: StartResult | null;
  /** Whether the state is of an older version, so that a start refuses it until it is upgraded. */
  readonly isOlder: boolean;
}

/**
 * Restores a network to a snapshot: the chain, the store and the data of every party. Definition, keys, ports and logs
 * stay. The old state is kept until the new one has started, and put back if the start fails. A killed restore has
 * changed all or nothing.
 *
 * @throws StackError SNAPSHOT_NOT_FOUND, SNAPSHOT_INVALID if it is damaged, newer than this program or of another
 *   network, STATE_INVALID if the definition does not fit it, LOCKED, DISK_FULL; as `startStack`
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
    // Only a start shows that the new state works; the next one deletes the old state.
    if (wasRunning) await withLock(layout.lock, 'stop', () => stopUnlocked(stack));
    return { restored: name, manifest, start: null, isOlder };
  }
  try {
    const start = await services.start(stack, { smoke: false, ...startOptions });
    return { restored: name, manifest, start, isOlder };
  } catch (error) {
    const isUndone = await withLock(layout.lock, 'snapshot restore', async () => {
      // A start that has deleted the old state has found that the new one works, even if it fails afterwards.
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
 * Checks by its manifest that a snapshot can be restored.
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

/** Stops the stack and puts the state of a snapshot in place. After a failure before the first step, restarts it. */
async function putInPlace(stack: Stack, { name, directory, manifest }: Saved, services: Services): Promise<InPlace> {
  const { layout } = stack;
  let mustRestart = false;
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
        const isSame = control !== undefined && (await canContinue(layout, staged));
        mustRestart = control !== undefined;
        // The same supervisor keeps the ports which the system has chosen, and the lease of a temporary stack.
        if (isSame) await stopServices(control);
        else if (control !== undefined) await stopUnlocked(stack);
        return { swap: await swapState(layout, staged, name), wasRunning: control !== undefined };
      } catch (error) {
        const hasBegun = (await readSwap(layout)) !== undefined;
        // Both states are partly in place: the next command continues, and needs the staged files.
        if (hasBegun) mustRestart = false;
        else await rm(staged, { recursive: true, force: true });
        throw fullDisk(error, hasBegun ? 'the next stack start continues this restore' : undefined);
      }
    });
  } catch (error) {
    if (mustRestart) await services.start(stack, { smoke: false });
    throw error;
  }
}

/**
 * Copies the state of a snapshot after checking that it is intact. Does not sync the copies.
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

/** Checks that a snapshot is of this stack's network, since a snapshot has no keys. */
async function requireSameNetwork({ layout, name: stack }: Stack, manifest: Manifest, name: string): Promise<void> {
  const accounts = await readAccounts(layout);
  const isOperators = accounts === undefined || accounts.operator === manifest.operator;
  const stranger = Object.entries(manifest.parties).find(([party, address]) => {
    const own = accounts?.parties[party]?.signing;
    return own !== undefined && own !== address;
  });
  if (isOperators && stranger === undefined) return;
  throw new InvalidSnapshot(name, `it is of another network than that of ${stack}, with other keys.`);
}

/**
 * Whether the supervisor's plan also fits the staged state.
 *
 * @throws StackError SNAPSHOT_REFUSED if it does not and the stack is temporary
 */
async function canContinue(layout: Layout, staged: string): Promise<boolean> {
  if (await hasSameBeginning(layout, staged)) return true;
  if ((await readRunningPlan(layout)).owner === undefined) return false;
  throw new StackError('SNAPSHOT_REFUSED', 'A stack of `run` can restore only its own snapshots.');
}

const Content = Type.Unknown();

/** Whether a plan for the present state also fits the staged state. */
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

/** Stops all services, nodes first. Ended tasks are not services. */
async function stopServices(control: Running): Promise<void> {
  const services = (await control.status()).services.filter(({ type }) => type === 'service');
  const ofKind = (isNode: boolean) => services.filter(({ kind }) => (kind === 'node') === isNode);
  await Promise.all(ofKind(true).map(({ name }) => control.service(name, 'stop')));
  for (const { name } of ofKind(false).toReversed()) await control.service(name, 'stop');
}
