import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { isErrno } from '../files/json-file.js';
import { createSystemPrograms } from './system-programs.js';

/** Identifies a process, unlike a pid that may be reused. */
export const Identity = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** Start time in the system's own format. */
  started: Type.String(),
  /** Id of the machine's boot. */
  boot: Type.String(),
});
export type Identity = Static<typeof Identity>;

const programs = createSystemPrograms();
const pollMs = 20;
const stillPollMs = 5;

/**
 * The identity of a running process; undefined if it is absent or a zombie, which still responds to signal 0. A dead
 * process with remaining threads counts as running: they hold its files and ports.
 */
export async function identify(pid: number): Promise<Identity | undefined> {
  const [started, boot] = await Promise.all([startOf(pid), bootOf()]);
  return started === undefined ? undefined : { pid, started, boot };
}

/** Whether this exact process is still running. */
export async function isAlive(identity: Identity): Promise<boolean> {
  const now = await identify(identity.pid);
  return now !== undefined && now.started === identity.started && now.boot === identity.boot;
}

/** Waits at most `limitMs` until the process is gone; false if it is still running. */
export async function waitUntilGone(identity: Identity, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (await isAlive(identity)) {
    if (performance.now() >= end) return false;
    await sleep(pollMs);
  }
  return true;
}

/** Kills this exact process and the group it leads with SIGKILL, and waits until it is gone; false on timeout. */
export async function killGroup(identity: Identity, limitMs: number): Promise<boolean> {
  if (!(await isAlive(identity))) return true;
  // A process that leads no group is killed alone.
  if (!signal(-identity.pid)) signal(identity.pid);
  return waitUntilGone(identity, limitMs);
}

/** Kills the rest of a child's process group, if any. */
export function killRestOfGroup(leaderPid: number): void {
  signal(-leaderPid);
}

/** Stops or continues a child's process group; false if nothing of it is left. */
export function signalGroup(leaderPid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  return signal(-leaderPid, name);
}

/** Sends a signal to a process, or to a group if the number is negative; false if nothing of it is left. */
function signal(target: number, name: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    process.kill(target, name);
    return true;
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    // macOS answers so for a group of which only zombies are left.
    if (target < 0 && process.platform === 'darwin' && isErrno(error, 'EPERM')) return false;
    throw error;
  }
}

async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return programs.startOf(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may contain spaces and brackets; state is the first field after
    // it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', threads] = [fields[0], fields[17]];
    return 'ZX'.includes(state) && Number(threads) <= 1 ? undefined : fields[19];
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

async function bootOf(): Promise<string> {
  if (process.platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return programs.boot();
}

/**
 * Waits until every thread of a process that was sent SIGSTOP has stopped; false if one still runs after `limitMs`. A
 * thread first completes its current system call, such as a write to a file.
 */
export async function waitUntilStill(pid: number, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!(await isStill(pid))) {
    if (performance.now() >= end) return false;
    await sleep(stillPollMs);
  }
  return true;
}

/** Whether a process is stopped, by SIGSTOP or a debugger, and so answers nothing until it is continued; or dead. */
export async function isPaused(pid: number): Promise<boolean> {
  const state = process.platform === 'linux' ? await stateOf(pid, String(pid)) : await programs.stateOf(pid);
  return isStopped(state);
}

async function isStill(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return isStopped(await programs.stateOf(pid));
  const threads = await readdir(`/proc/${pid}/task`);
  const states = await Promise.all(threads.map((thread) => stateOf(pid, thread)));
  return states.every(isStopped);
}

/** Whether a state is one of stopped, traced, zombie, dead; further characters add details. */
function isStopped(state: string): boolean {
  return 'TtZXx'.includes(state.charAt(0));
}

/** The state letter of a thread; `X` (dead) if it is gone. */
async function stateOf(pid: number, thread: string): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return 'X';
    throw error;
  }
}
