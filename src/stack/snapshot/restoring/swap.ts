import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { exists } from '../../../supervisor/machine/directory.js';
import { isErrno, readJsonFile, writeJsonFile } from '../../../supervisor/files/json-file.js';
import { syncDirectory } from '../../../supervisor/files/private-file.js';
import { StackError } from '../../error.js';
import type { Layout } from '../../layout.js';
import { removeUnfinished } from '../places.js';

/** The entries of a stack's directory that are its state, which are swapped together. */
export const swappedNames = ['data', 'contracts.json', 'genesis.json', 'applied.json'] as const;

/** A swap that has begun: `restore.json`, which exists from before its first step until the old state is deleted. */
const Swap = Type.Object({
  version: Type.Literal(1),
  snapshot: Type.String(),
  /** Names of directories beside the state: the source of the new one, and the destination of the old one. */
  staged: Type.String(),
  former: Type.String(),
  /** Which of the entries the new state has. */
  has: Type.Array(Type.String()),
  isInPlace: Type.Boolean(),
});
export type Swap = Static<typeof Swap>;

const stagedPrefix = '.restored-';
const formerPrefix = '.former-';

export async function makeStaged(layout: Layout): Promise<string> {
  const directory = join(layout.directory, `${stagedPrefix}${randomBytes(6).toString('hex')}`);
  await mkdir(directory, { mode: 0o700 });
  return directory;
}

/** The swap of a stack that has begun and whose old state still exists. */
export function readSwap(layout: Layout): Promise<Swap | undefined> {
  return readJsonFile(fileOf(layout), Swap);
}

/**
 * Replaces the present state by a staged one, and keeps the present one beside it. If this process is killed, the next
 * command continues from `restore.json`. The stack must be stopped.
 */
export async function swapState(layout: Layout, staged: string, snapshot: string): Promise<Swap> {
  const former = `${formerPrefix}${randomBytes(6).toString('hex')}`;
  await mkdir(join(layout.directory, former), { mode: 0o700 });
  const present = await Promise.all(swappedNames.map((name) => exists(join(staged, name))));
  const swap: Swap = {
    version: 1,
    snapshot,
    staged: staged.slice(layout.directory.length + 1),
    former,
    has: swappedNames.filter((_, index) => present[index]),
    isInPlace: false,
  };
  await writeJsonFile(fileOf(layout), swap);
  return carryOut(layout, swap);
}

/** Completes a swap during which a command was killed. Call it under the stack's lock. */
export async function finishRestore(layout: Layout): Promise<void> {
  const swap = await readSwap(layout);
  if (swap?.isInPlace === false) await carryOut(layout, swap);
}

/** Whether the old state of a swap still exists as a whole. */
export async function hasFormer(layout: Layout, { former }: Swap): Promise<boolean> {
  return (await readSwap(layout))?.former === former;
}

/** Puts the old state back if it still exists, and deletes the new one. The stack must be stopped. */
export async function undoSwap(layout: Layout, swap: Swap): Promise<void> {
  if (!(await hasFormer(layout, swap))) return;
  const { staged, former, snapshot } = swap;
  await swapState(layout, join(layout.directory, former), snapshot);
  await rm(join(layout.directory, staged), { recursive: true, force: true });
  await forgetFormer(layout);
}

/**
 * Deletes the old state once the new one works, and the leftovers of failed and killed restores. The record is deleted
 * first, so that a partly deleted old state is never put back.
 */
export async function forgetFormer(layout: Layout): Promise<void> {
  await rm(fileOf(layout), { force: true });
  await syncDirectory(layout.directory);
  for (const prefix of [stagedPrefix, formerPrefix]) await removeUnfinished(layout.directory, prefix);
}

async function carryOut(layout: Layout, swap: Swap): Promise<Swap> {
  const { directory } = layout;
  for (const name of swappedNames) await swapOne(name, swap, directory);
  await syncDirectory(directory);
  const done = { ...swap, isInPlace: true };
  await writeJsonFile(fileOf(layout), done);
  return done;
}

/**
 * Swaps one entry. The places of old and new show which steps are done, so a repeated call continues.
 *
 * @throws StackError STATE_INVALID if the new entry is neither staged nor in place
 */
async function swapOne(name: string, { staged, former, has, snapshot }: Swap, directory: string): Promise<void> {
  const [fresh, present, old] = [join(directory, staged, name), join(directory, name), join(directory, former, name)];
  const isNew = has.includes(name);
  if (isNew && !(await exists(fresh))) {
    if (await exists(present)) return;
    const kept = join(directory, former);
    throw new StackError('STATE_INVALID', `The restore of ${snapshot} cannot be finished: ${name} is missing.`, {
      hint: `The previous state is in ${kept}. To restore again: stack reset, then stack snapshot restore`,
      details: { snapshot, name, former: kept },
    });
  }
  if (await exists(old)) {
    // The old entry is already moved: the present one was created since, by a command that ignored the swap.
    if (isNew) await rm(present, { recursive: true, force: true });
  } else await moveIfPresent(present, old);
  if (isNew) await rename(fresh, present);
}

async function moveIfPresent(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

function fileOf(layout: Layout): string {
  return join(layout.directory, 'restore.json');
}
