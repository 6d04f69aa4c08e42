import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { isErrno } from './json-file.js';

/** A process, told apart from any other that ever had or will have its pid. */
export const Identity = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** When it began, as the system writes it. */
  started: Type.String(),
  /** Which boot of the machine it began in. */
  boot: Type.String(),
});
export type Identity = Static<typeof Identity>;

const run = promisify(execFile);
const pollMs = 20;

/** The identity of a process that lives now, or undefined: absent, or a zombie, which is as dead (a dead child whose
 * parent reaps nothing still answers to signal 0). */
export async function identify(pid: number): Promise<Identity | undefined> {
  const [started, boot] = await Promise.all([startOf(pid), bootOf()]);
  return started === undefined ? undefined : { pid, started, boot };
}

/** Whether this very process lives still. */
export async function isAlive(identity: Identity): Promise<boolean> {
  const now = await identify(identity.pid);
  return now !== undefined && now.started === identity.started && now.boot === identity.boot;
}

/** Waits until the process is gone, for at most `limitMs`; false when it still lives then. */
export async function waitUntilGone(identity: Identity, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (await isAlive(identity)) {
    if (performance.now() >= end) return false;
    await sleep(pollMs);
  }
  return true;
}

/**
 * Ends this very process and the group it leads with SIGKILL, and waits until it is gone; false when it would not go.
 */
export async function killGroup(identity: Identity, limitMs: number): Promise<boolean> {
  if (!(await isAlive(identity))) return true;
  // One that leads no group is ended alone.
  if (!signal(-identity.pid)) signal(identity.pid);
  return waitUntilGone(identity, limitMs);
}

/** Ends what is left of the group that a child of ours has led. Nothing left is fine. */
export function killRestOfGroup(leaderPid: number): void {
  signal(-leaderPid);
}

/** Holds the group that a child of ours leads, or lets it go on; false when nothing of it is left. */
export function holdGroup(leaderPid: number, how: 'SIGSTOP' | 'SIGCONT'): boolean {
  return signal(-leaderPid, how);
}

/** False when there is nobody to signal. */
function signal(target: number, how: NodeJS.Signals = 'SIGKILL'): boolean {
  try {
    process.kill(target, how);
    return true;
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    throw error;
  }
}

async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startByPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in brackets and may hold spaces and brackets; state is the first field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'state=,lstart=', '-p', String(pid)]);
    const [state, ...started] = stdout.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') ? undefined : started.join(' ');
  } catch (error) {
    // ps exits with 1 when there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return undefined;
    throw error;
  }
}

async function bootOf(): Promise<string> {
  if (process.platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  return (await run('sysctl', ['-n', 'kern.boottime'])).stdout.trim();
}
