import assert from 'node:assert';
import { createHash, randomBytes } from 'node:crypto';
import { readlink, rm, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';
import { Identity, identify } from '../../supervisor/machine/identity.js';
import { isErrno, readJsonFile } from '../../supervisor/files/json-file.js';
import { makeDirectory } from '../../supervisor/files/private-file.js';
import { StackError } from '../error.js';

/** The holder of a lock: a process, identified by more than its pid, and a token that is new each time. */
interface Holder {
  readonly pid: number;
  readonly life: string;
  readonly token: string;
  readonly purpose: string;
}

/** A lock in the format of earlier versions, which a killed command may have left. */
const EarlierHolder = Type.Object({ ...Identity.properties, purpose: Type.String(), token: Type.String() });

const pollMs = 25;
/** Limit for another holder, whose operations are short. */
export const defaultLimitMs = 10_000;

export type LockHolder = Pick<Holder, 'pid' | 'purpose'>;

/** Returns how long to wait for one holder of a lock; 0 = without limit. Called repeatedly while it holds it. */
export type LockLimit = (holder: LockHolder) => number;

/**
 * Runs `work` while holding a lock, which at most one process has; the lock of a dead holder is taken over. The lock is
 * a symbolic link whose target names the holder. It is created atomically, and it needs no disk block, so that a stack
 * can be stopped and removed on a full disk.
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
  await makeDirectory(dirname(path));
  return whileHeld({ path, purpose, limitOf }, work);
}

interface Wanted {
  readonly path: string;
  readonly purpose: string;
  readonly limitOf: LockLimit;
}

async function whileHeld<Result>(wanted: Wanted, work: () => Promise<Result>): Promise<Result> {
  const token = await acquire(wanted);
  try {
    return await work();
  } finally {
    await release(wanted.path, token);
  }
}

async function acquire({ path, purpose, limitOf }: Wanted): Promise<string> {
  const life = await lifeOf(process.pid);
  assert(life !== undefined, 'the running process can be identified');
  const token = newToken();
  const claim = claimOf({ pid: process.pid, life, token, purpose });
  let begunMs = performance.now();
  let known = '';
  while (!(await tryLink(claim, path))) {
    const holder = await readHolder(path);
    if (holder === undefined) continue;
    if ((await lifeOf(holder.pid)) !== holder.life) {
      await removeDead(path, holder.token);
      continue;
    }
    // The limit applies to each holder, so that ten commands at once can take turns.
    if (holder.token !== known) begunMs = performance.now();
    known = holder.token;
    const limitMs = limitOf(holder);
    if (limitMs > 0 && performance.now() - begunMs > limitMs) throw locked(holder);
    await sleep(pollMs);
  }
  return token;
}

function claimOf({ pid, life, token, purpose }: Holder): string {
  return [pid, life, token, purpose].join(':');
}

function newToken(): string {
  return randomBytes(4).toString('hex');
}

/** A short name for this run of a process, unlike a reused pid; undefined if it is not running. */
async function lifeOf(pid: number): Promise<string | undefined> {
  const identity = await identify(pid);
  return identity && lifeIn(identity);
}

function lifeIn({ started, boot }: Identity): string {
  return createHash('sha256').update(`${boot} ${started}`).digest('hex').slice(0, 12);
}

/** The holder of a lock; undefined if it has none now. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const [pid, life = '', token = '', purpose = ''] = (await readlink(path)).split(':');
    return { pid: Number(pid), life, token, purpose };
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    if (!isErrno(error, 'EINVAL')) throw error;
    const earlier = await readJsonFile(path, EarlierHolder);
    return earlier && { ...earlier, life: lifeIn(earlier) };
  }
}

function locked(holder: LockHolder): StackError {
  return new StackError('LOCKED', `Another command is running: ${holder.purpose}, pid ${holder.pid}.`, {
    hint: 'Wait until it is done, or end it.',
    details: { pid: holder.pid, purpose: holder.purpose },
  });
}

async function tryLink(claim: string, path: string): Promise<boolean> {
  try {
    await symlink(claim, path);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    if (!isErrno(error, 'ENOENT')) throw error;
    throw new StackError('STACK_NOT_FOUND', 'It was removed meanwhile by another command.', { cause: error });
  }
}

/**
 * Removes a dead holder's lock. Another process may have removed it since, and taken it. So the removal has a lock too,
 * whose holder checks again before it removes; the lock of a holder that dies meanwhile is removed in the same way.
 */
function removeDead(path: string, token: string): Promise<void> {
  const removal = { path: `${path}.${nameOf(token)}`, purpose: 'removal of a lock', limitOf: () => defaultLimitMs };
  const remove = async (): Promise<void> => {
    if ((await readHolder(path))?.token === token) await rm(path, { force: true });
  };
  // Not `withLock`, which would create a removed directory again.
  return whileHeld(removal, remove);
}

/** A token as part of a file name; the file that it was read from may contain any text. */
function nameOf(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 12);
}

async function release(path: string, token: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder?.token === token) await rm(path, { force: true });
}
