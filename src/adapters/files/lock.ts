import { mkdir, open, readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAbsent } from './changes.js';

/** Identifies a process, even against a later one with the same pid. */
interface Identity {
  readonly pid: number;
  /** Ticks between boot and the start of the process; `0` if the system does not provide it. */
  readonly started: string;
  readonly boot: string;
}

const prefix = 'lock-';
const waitLimitMs = 1_000;
const lookAgainMs = 20;

/**
 * Locks a directory for this process, until the returned function is called or the process ends in any way: the mark of
 * a dead process, a zombie or an earlier boot has no effect (docs/architecture.md §9.2, docs/operations.md §2).
 *
 * Every process first creates a mark with its own identity in its name and only then looks for others, so two can never
 * both find themselves alone. Of two that start together the one whose mark sorts first waits until the other has
 * withdrawn. Marks of dead processes can be removed by anyone, since no later process has their name.
 *
 * @throws Error that names the process which has the directory
 */
export async function acquireLock(directory: string): Promise<() => Promise<void>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const own = markOf(await ownIdentity());
  if (!(await leaveMark(directory, own))) throw inUseBy(process.pid);
  try {
    await waitUntilAlone(directory, own);
  } catch (refusal) {
    await removeMark(directory, own);
    throw refusal;
  }
  return () => removeMark(directory, own);
}

async function waitUntilAlone(directory: string, own: string): Promise<void> {
  const giveUpAtMs = performance.now() + waitLimitMs;
  for (;;) {
    const others = await liveOthers(directory, own);
    const [first] = others;
    if (first === undefined) return;
    const isOursToWait = others.every((other) => own < markOf(other));
    if (!isOursToWait || performance.now() > giveUpAtMs) throw inUseBy(first.pid);
    await sleep(lookAgainMs);
  }
}

async function liveOthers(directory: string, own: string): Promise<Identity[]> {
  const others: Identity[] = [];
  for (const name of await readdir(directory)) {
    const identity = name === own ? undefined : identityOf(name);
    if (identity === undefined) continue;
    if (await isAlive(identity)) others.push(identity);
    else await removeMark(directory, name);
  }
  return others;
}

async function leaveMark(directory: string, mark: string): Promise<boolean> {
  try {
    const handle = await open(join(directory, mark), 'wx', 0o600);
    await handle.close();
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  }
}

async function removeMark(directory: string, mark: string): Promise<void> {
  await unlink(join(directory, mark)).catch((cause: unknown) => {
    if (!isAbsent(cause)) throw cause;
  });
}

function markOf({ pid, started, boot }: Identity): string {
  return `${prefix}${pid}-${started}-${boot}`;
}

function identityOf(name: string): Identity | undefined {
  const found = /^lock-(\d{1,10})-(\d{1,20})-([0-9a-f]{1,32})$/.exec(name);
  if (found === null) return undefined;
  const [, pid, started, boot] = found;
  return { pid: Number(pid), started: started ?? '', boot: boot ?? '' };
}

async function ownIdentity(): Promise<Identity> {
  const state = await stateOf(process.pid);
  return { pid: process.pid, started: state?.started ?? '0', boot: await bootId() };
}

async function isAlive(identity: Identity): Promise<boolean> {
  if (identity.boot !== (await bootId())) return false;
  if (identity.started === '0') return isSignallable(identity.pid);
  const state = await stateOf(identity.pid);
  return state !== undefined && state.started === identity.started && !['Z', 'X'].includes(state.state);
}

/** The state of a process; undefined if it does not exist or the system has no /proc. */
async function stateOf(pid: number): Promise<{ readonly state: string; readonly started: string } | undefined> {
  const text = await readIfThere(`/proc/${pid}/stat`);
  // The second field, the program's name in brackets, may contain spaces and brackets.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

async function bootId(): Promise<string> {
  const text = await readIfThere('/proc/sys/kernel/random/boot_id');
  return text?.trim().replaceAll('-', '') || '0';
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    // A process that ends while it is read gives ESRCH.
    if (isAbsent(cause) || (cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) return undefined;
    throw cause;
  }
}

function isSignallable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

function inUseBy(pid: number): Error {
  return new Error(`The data directory is in use by process ${pid}. Stop that process first.`);
}
