import { databaseForm } from '../../ports/database-form.js';
import { StackError } from '../error.js';
import type { Stack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { snapshotNames } from '../snapshot/places.js';
import { requireOwnEngines, saveUnlocked } from '../snapshot/saving/save.js';
import { finishRestore } from '../snapshot/restoring/swap.js';
import { hasSupervisor } from '../cleaning/stale.js';
import { startStack, type StartResult } from '../running/start.js';
import type { StartOptions } from '../running/start-options.js';
import { type Forms, readForms, requireOwnForm } from './state-form.js';
import { stopStack, stopUnlocked } from '../running/stop.js';
import { noteUpgrade, readUpgrade, type UpgradeRecord } from './upgrade-record.js';

export interface UpgradeOptions extends StartOptions {
  /** Default: true. */
  readonly snapshot?: boolean;
  /** Report what would be done, change nothing. */
  readonly dryRun?: boolean;
  /** Called before the migration begins. */
  readonly onBegin?: (record: UpgradeRecord) => Promise<void>;
}

export interface UpgradeResult {
  readonly name: string;
  /** The form of each party's database before. */
  readonly forms: Forms;
  readonly from: number;
  readonly to: number;
  /** False if there was nothing to do, or for a dry run. */
  readonly upgraded: boolean;
  /** The snapshot of the state before; null if none was saved. */
  readonly snapshot: string | null;
  /** Null if the stack is stopped, as it was before. */
  readonly start: StartResult | null;
}

/**
 * Brings the state of a stack to this version: saves a snapshot, then migrates every database and starts the stack,
 * and stops it again if it did not run. A killed or failed upgrade continues when it is repeated, with the same
 * snapshot; restoring that snapshot undoes the upgrade.
 *
 * @throws StackError STATE_NEWER; SNAPSHOT_REFUSED, with nothing stopped; as `saveSnapshot`, `stopStack`, `startStack`
 */
export async function upgradeStack(stack: Stack, options: UpgradeOptions = {}): Promise<UpgradeResult> {
  const { name, layout } = stack;
  const { snapshot: isSaved = true, dryRun = false, onBegin, ...startOptions } = options;
  await requireOwnForm(stack, { mayBeOlder: true });
  const forms = await readForms(stack);
  const begun = await readUpgrade(layout);
  const from = begun?.from ?? Math.min(databaseForm, ...Object.values(forms));
  const result = { name, forms, from, to: databaseForm };
  if (from === databaseForm) return { ...result, upgraded: false, snapshot: null, start: null };
  if (isSaved && begun === undefined) await requireSnapshots(stack);
  if (dryRun) return { ...result, upgraded: false, snapshot: null, start: null };
  const record = await withLock(layout.lock, 'upgrade', () => prepare(stack, { from, isSaved }));
  await onBegin?.(record);
  const started = await startStack(stack, { ...startOptions, mayMigrate: true });
  if (!record.wasRunning) await stopStack(stack);
  return { ...result, upgraded: true, snapshot: record.snapshot, start: record.wasRunning ? started : null };
}

/** Checks that a snapshot can be saved, while nothing is stopped yet. @throws StackError SNAPSHOT_REFUSED */
async function requireSnapshots(stack: Stack): Promise<void> {
  await requireOwnEngines(stack).catch((cause: unknown) => {
    if (!(cause instanceof StackError) || cause.code !== 'SNAPSHOT_REFUSED') throw cause;
    const hint = `Stop the stack, make copies yourself, then: stack upgrade ${stack.name} --no-snapshot`;
    throw new StackError('SNAPSHOT_REFUSED', cause.message, { hint, cause });
  });
}

/** Stops the stack and saves its state, unless an upgrade that was killed has done so already. */
async function prepare(
  stack: Stack,
  { from, isSaved }: { readonly from: number; readonly isSaved: boolean },
): Promise<UpgradeRecord> {
  const { layout } = stack;
  await finishRestore(layout);
  const begun = await readUpgrade(layout);
  const isRunning = await hasSupervisor(stack);
  // Its supervisor and its nodes are programs of the older version.
  await stopUnlocked(stack);
  if (begun !== undefined) return begun;
  const snapshot = isSaved ? (await saveUnlocked(stack, await freeName(stack))).name : null;
  const record: UpgradeRecord = { version: 1, snapshot, from, wasRunning: isRunning };
  await noteUpgrade(layout, record);
  return record;
}

async function freeName({ layout }: Stack): Promise<string> {
  const names = await snapshotNames(layout);
  const base = 'before-upgrade';
  let name = base;
  for (let number = 2; names.includes(name); number += 1) name = `${base}-${number}`;
  return name;
}
