import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { holdGroup, type Identity, identify, killRestOfGroup } from './identity.js';

const ChildMessage = Type.Union([
  Type.Object({ type: Type.Literal('ready'), port: Type.Integer(), url: Type.String() }),
  Type.Object({ type: Type.Literal('progress'), text: Type.String() }),
  Type.Object({ type: Type.Literal('failed'), message: Type.String() }),
  Type.Object({ type: Type.Literal('result'), value: Type.Record(Type.String(), Type.Unknown()) }),
]);
/**
 * What a program tells its supervisor: it works and where; how far its start is; why it cannot start; what a task found
 * out.
 */
export type ChildMessage = Static<typeof ChildMessage>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly pid: number;
  /** Undefined when it was gone before it could be looked at. */
  readonly identity: Identity | undefined;
  /** Resolves when the process is gone, its whole group with it, and its last line is delivered. */
  readonly exited: Promise<Exit>;
  /** SIGTERM, then after the grace SIGKILL to the group. Resolves when it is gone: true if it had to be killed. */
  stop(graceMs: number): Promise<boolean>;
  /**
   * SIGSTOP to the group: it keeps all that it has and does nothing until `resume`, or until this process dies.
   *
   * @throws Error when it is gone, or nothing could let it go on after the death of this process
   */
  pause(): Promise<void>;
  /** SIGCONT to the group. Does nothing where it is not paused. */
  resume(): void;
}

export interface ChildOptions {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly onMessage: (message: ChildMessage) => void;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

const maxLineCharacters = 262_144;

/**
 * Starts a Node program as the leader of its own process group, so that Ctrl-C in a shell does not reach it and SIGKILL
 * reaches all that it may have started. Its stdin is a pipe that nobody writes to: it closes when this process dies,
 * and that is how the child learns of it.
 *
 * @throws Error when the system cannot start a process
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawn(process.execPath, [options.program, ...options.arguments], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    env: { ...options.environment },
  });
  child.on('message', (message) => {
    // What else a program may say is between it and other parents.
    if (Value.Check(ChildMessage, message)) options.onMessage(message);
  });
  const { pid, stdin, stdout, stderr } = child;
  assert(stdin !== null && stdout !== null && stderr !== null, 'a child with pipes has them');
  // Nothing is ever written: an error here only says that the child is gone, which `exit` says too.
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
    ...{ pid, identity: await identify(pid), exited },
    stop: (graceMs) => stopChild(pid, exited, graceMs),
    ...holding(pid, exited),
  };
}

function holding(pid: number, exited: Promise<Exit>): Pick<Child, 'pause' | 'resume'> {
  let release = (): void => undefined;
  const end = (): void => release();
  exited.then(end, end);
  return {
    pause: async () => {
      release();
      release = await guardStopped(pid);
      if (holdGroup(pid, 'SIGSTOP')) return;
      release();
      throw new Error(`The process ${pid} is gone.`);
    },
    resume: () => {
      holdGroup(pid, 'SIGCONT');
      release();
    },
  };
}

/**
 * Starts a guard that lets a stopped group go on when this process dies: a process that is stopped does not see that
 * its stdin has closed, and would stay for ever. A shell that waits for the end of its own stdin is the smallest one.
 *
 * @returns what ends the guard
 * @throws Error when it cannot be started
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
    // A process that is stopped gets it only when it goes on.
    holdGroup(pid, 'SIGCONT');
  } catch {
    // It has just gone by itself: `exited` says so.
  }
  await exited;
  isGone = true;
  clearTimeout(kill);
  return forced;
}

async function deliverLines(stream: Readable, deliver: (line: string) => void): Promise<void> {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') deliver(line);
    if (rest.length > maxLineCharacters) {
      deliver(rest);
      rest = '';
    }
  }
  if (rest !== '') deliver(rest);
}
