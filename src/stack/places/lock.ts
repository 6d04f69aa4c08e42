import assert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { link, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { Identity, identify, isAlive } from '../../supervisor/machine/identity.js';
import { isErrno, readJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { StackError } from '../error.js';

const Holder = Type.Object({ ...Identity.properties, purpose: Type.String(), token: Type.String() });

const pollMs = 25;
/** Limit for short operations of another holder. */
export const defaultLimitMs = 10_000;

/** The holder of a lock. */
export type LockHolder = Pick<Static<typeof Holder>, 'pid' | 'purpose'>;

/** Returns how long to wait for one holder of a lock; 0 = without limit. Called repeatedly while it holds it. */
export type LockLimit = (holder: LockHolder) => number;

/**
 * Runs `work` while holding a lock file: at most one process does; the lock of a dead holder is taken over .
 *
 * @throws StackError LOCKED, naming the holder, if one does not release it within the limit; STACK_NOT_FOUND if the
 * protected directory is removed meanwhile
 */
export async function withLock<Result>(
  path: string,
  purpose: string,
  work: () => Promise<Result>,
  limitOf: LockLimit = () => defaultLimitMs,
): Promise<Result> {
  const token = await acquire(path, purpose, limitOf);
  try {
    return await work();
  } finally {
    await release(path, token);
  }
}

async function acquire(path: string, purpose: string, limitOf: LockLimit): Promise<string> {
  await makeDirectory(dirname(path));
  const identity = await identify(process.pid);
  assert(identity !== undefined, 'a process that runs can be identified');
  const token = randomBytes(8).toString('hex');
  const claim = `${path}.${token}`;
  await writeFile(claim, JSON.stringify({ ...identity, purpose, token }), { mode: 0o600, flag: 'wx' });
  try {
    let begunMs = performance.now();
    let known = '';
    while (!(await tryLink(claim, path))) {
      const holder = await readJsonFile(path, Holder);
      if (holder === undefined) continue;
      if (!(await isAlive(holder))) {
        await removeDead(path, holder.token);
        continue;
      }
      // Ten commands at once take their turns; only one that keeps the lock holds up the others.
      if (holder.token !== known) begunMs = performance.now();
      known = holder.token;
      const limitMs = limitOf(holder);
      if (limitMs > 0 && performance.now() - begunMs > limitMs) throw locked(holder);
      await sleep(pollMs);
    }
    return token;
  } finally {
    await rm(claim, { force: true });
  }
}

function locked(holder: LockHolder): StackError {
  return new StackError('LOCKED', `Another command is at work: ${holder.purpose}, pid ${holder.pid}.`, {
    hint: 'Wait until it is done, or end it.',
    details: { pid: holder.pid, purpose: holder.purpose },
  });
}

async function tryLink(claim: string, path: string): Promise<boolean> {
  try {
    await link(claim, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    if (!isErrno(error, 'ENOENT')) throw error;
    throw new StackError('STACK_NOT_FOUND', 'It was removed meanwhile by another command.', { cause: error });
  }
}

/** Removes a dead holder's lock. Two processes may do so at once: one that has moved away a live lock puts it back. */
async function removeDead(path: string, token: string): Promise<void> {
  const aside = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await readJsonFile(aside, Holder);
  if (moved?.token !== token) await tryLink(aside, path);
  await rm(aside, { force: true });
}

async function release(path: string, token: string): Promise<void> {
  const holder = await readJsonFile(path, Holder);
  if (holder?.token === token) await rm(path, { force: true });
}
