import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Identity, identify, killRestOfGroup, signalGroup } from '../machine/identity.js';
import { readShape } from '../files/json-file.js';
import { deliverLines } from '../files/lines.js';

const ChildMessage = Type.Union([
  Type.Object({
    type: Type.Literal('ready'),
    port: Type.Integer(),
    url: Type.String(),
    note: Type.Optional(Type.String()),
  }),
  Type.Object({ type: Type.Literal('progress'), text: Type.String() }),
  Type.Object({ type: Type.Literal('failed'), message: Type.String() }),
  Type.Object({ type: Type.Literal('result'), value: Type.Record(Type.String(), Type.Unknown()) }),
]);
/**
 * A message of a program to its supervisor: its address when it is ready, the progress of its start, the reason why it
 * cannot start, or the result of a task.
 */
export type ChildMessage = Static<typeof ChildMessage>;

/** Parses a message from a line of text; undefined for any other text. */
export function readMessage(line: string): ChildMessage | undefined {
  try {
    return readShape(ChildMessage, line, 'The message');
  } catch {
    return undefined;
  }
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** Undefined if the process was gone before it could be identified. */
  readonly identity: Identity | undefined;
  /** Whether the process is in a container. */
  readonly isContainer: boolean;
  /** Resolves when the process and its whole group are gone, and its last line is delivered. */
  readonly exited: Promise<Exit>;
  /**
   * Sends SIGTERM, then after the grace period SIGKILL to the group. Resolves when it is gone: true if it was killed.
   */
  stop(graceMs: number): Promise<boolean>;
  /**
   * Sends SIGSTOP to the group, which stays stopped until `resume`, or until this process dies.
   *
   * @throws Error if it is gone, or if no guard could resume it after the death of this process
   */
  pause(): Promise<void>;
  /** Sends SIGCONT to the group. Does nothing if it is not paused. */
  resume(): void;
}

export interface ChildOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly onMessage: (message: ChildMessage) => void;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

/**
 * Starts a Node program as the leader of its own process group, so that Ctrl-C in a shell does not reach it and SIGKILL
 * reaches all its descendants. Its stdin is a pipe without data: it closes when this process dies, which tells the
 * child.
 *
 * @throws Error if the system cannot start a process
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawn(process.execPath, [options.program, ...options.arguments], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: { ...options.environment },
  });
  child.on('message', (message) => {
    // Other messages are for other kinds of parents.
    if (Value.Check(ChildMessage, message)) options.onMessage(message);
  });
  const { pid, stdin, stdout, stderr } = child;
  assert(stdin !== null && stdout !== null && stderr !== null, 'stdin, stdout and stderr are pipes');
  // Nothing is ever written: an error here only means that the child is gone, which `exit` reports, too.
  stdin.on('error', () => stdin.destroy());
  const output = Promise.all([
    deliverLines(stdout, (line) => {
      options.onLine(line, 'stdout');
    }),
    deliverLines(stderr, (line) => {
      options.onLine(line, 'stderr');
    }),
  ]);
  const gone = new Promise<Exit>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      if (pid !== undefined) killRestOfGroup(pid);
      resolve({ code, signal });
    });
    child.once('error', (cause) => {
      if (pid === undefined) reject(new Error(`Cannot start ${options.program}: ${cause.message}`, { cause }));
    });
  });
  if (pid === undefined) return gone.then(() => Promise.reject(new Error(`Cannot start ${options.program}.`)));
  // Messages and lines may arrive after `exit`; the closed channel and the closed pipes come after the last of them.
  const silent = Promise.all([output, new Promise((resolve) => child.once('disconnect', resolve))]);
  const exited = gone.then(async (exit) => {
    await silent;
    return exit;
  });
  return {
    pid,
    identity: await identify(pid),
    isContainer: false,
    exited,
    stop: (graceMs) => stopChild(pid, exited, graceMs),
    ...pausing(pid, exited),
  };
}

function pausing(pid: number, exited: Promise<Exit>): Pick<Child, 'pause' | 'resume'> {
  let release = (): void => undefined;
  const end = (): void => release();
  exited.then(end, end);
  return {
    pause: async () => {
      release();
      release = await guardStopped(pid);
      if (signalGroup(pid, 'SIGSTOP')) return;
      release();
      throw new Error(`The process ${pid} is gone.`);
    },
    resume: () => {
      signalGroup(pid, 'SIGCONT');
      release();
    },
  };
}

/**
 * Starts a guard that resumes a stopped group when this process dies: a stopped process does not notice that its stdin
 * has closed, and would never end. The smallest guard is a shell that waits until its own stdin closes.
 *
 * @returns the function that ends the guard
 * @throws Error if it cannot be started
 */
async function guardStopped(leaderPid: number): Promise<() => void> {
  const script = 'read -r line; kill -s CONT -- "-$1"';
  const guard = spawn('/bin/sh', ['-c', script, 'sh', String(leaderPid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  await once(guard, 'spawn');
  guard.stdin.on('error', () => guard.stdin.destroy());
  return () => void guard.kill('SIGKILL');
}

async function stopChild(pid: number, exited: Promise<Exit>, graceMs: number): Promise<boolean> {
  let forced = false;
  let isGone = false;
  const kill = setTimeout(() => {
    forced = true;
    if (!isGone) killRestOfGroup(pid);
  }, graceMs);
  try {
    process.kill(pid, 'SIGTERM');
    // A stopped process gets the signal only when it continues.
    signalGroup(pid, 'SIGCONT');
  } catch {
    // It has just ended; `exited` reports it.
  }
  await exited;
  isGone = true;
  clearTimeout(kill);
  return forced;
}
