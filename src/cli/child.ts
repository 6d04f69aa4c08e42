import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Writable } from 'node:stream';

/** Loads the library on first use: it takes as long as a third of an empty program. */
const load = () => import('execa');

/** Starts a desktop program and detaches from it; a missing program is ignored. */
export async function launch(command: string, words: readonly string[]): Promise<void> {
  const { execa } = await load();
  const child = execa(command, words, { detached: true, stdio: 'ignore', cleanup: false, reject: false });
  child.unref();
}

/**
 * Calls `left` when the pipe on stdout has lost its reader. Node cannot poll for that; GNU `tail -f` does, and exits.
 * If that program is missing or a different one, nothing happens. The returned function ends the watch; it also ends
 * with this process.
 */
export function watchPipe(left: () => void): () => void {
  const words = ['-s', '0.1', `--pid=${process.pid}`, '-f', '/dev/null'];
  const child = spawn('tail', words, { stdio: ['ignore', 'inherit', 'ignore'] });
  const end = () => void child.kill('SIGKILL');
  child.on('error', () => undefined);
  child.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') left();
  });
  child.unref();
  process.once('exit', end);
  return () => {
    process.off('exit', end);
    end();
  };
}

/**
 * Runs a shell command line with this text on its stdin; it shares stdout and stderr. Resolves when it has ended: with
 * undefined after success, otherwise with how it ended. It need not read its stdin.
 */
export async function runShell(commandLine: string, input: string): Promise<string | undefined> {
  const { execa } = await load();
  const options = { input, stdout: 'inherit', stderr: 'inherit', cleanup: false, reject: false } as const;
  const { failed, exitCode, signal, message } = await execa('/bin/sh', ['-c', commandLine], options);
  if (!failed || exitCode === 0) return undefined;
  if (signal !== undefined) return `signal ${signal}`;
  return exitCode === undefined ? message : `exit code ${exitCode}`;
}

/**
 * Runs Node with these arguments; resolves with undefined after success, otherwise with the last line of its stderr.
 */
export async function runNode(words: readonly string[], directory: string): Promise<string | undefined> {
  const { execa } = await load();
  const options = { cwd: directory, timeout: nodeLimitMs, reject: false } as const;
  const { failed, stderr, message } = await execa(process.execPath, words, options);
  if (!failed) return undefined;
  return stderr.split('\n').find((line) => /error/i.test(line)) ?? message;
}

const nodeLimitMs = 20_000;

/** A command run for the user. */
export interface Job {
  readonly pid: number;
  /** Sends the signal to the process and, if it leads a process group, to the whole group. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves with its exit code, or 128 + the number of the signal that ended it. */
  readonly ended: Promise<number>;
}

export interface JobOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** False keeps it in this process's group, where the terminal's Ctrl-C reaches it. */
  readonly hasOwnGroup: boolean;
  /** Called with its pid before it begins; if this process is killed meanwhile, it never begins. */
  readonly beforeStart?: ((pid: number) => Promise<void>) | undefined;
  /** Its working directory; default: that of this process. */
  readonly directory?: string;
  /** Whether it has no stdin, and its stdout goes to this process's stderr. */
  readonly isAside?: boolean;
}

/** Waits for a line on descriptor 3 and then becomes the command; without that line it ends. */
const gate = 'read go <&3 || exit 143; exec 3<&-; exec "$@"';

const inherited = ['inherit', 'inherit', 'inherit'] as const;

/** Runs a command on this process's streams. @throws the system's error if it cannot be started */
export async function startJob(command: readonly string[], options: JobOptions): Promise<Job> {
  const { beforeStart, hasOwnGroup, directory, isAside = false } = options;
  const [program = '', ...words] = beforeStart === undefined ? command : ['/bin/sh', '-c', gate, 'sh', ...command];
  const { execa } = await load();
  const streams = isAside ? (['ignore', 2, 2] as const) : inherited;
  const child = execa(program, words, {
    stdio: beforeStart === undefined ? streams : [...streams, 'pipe'],
    detached: hasOwnGroup,
    env: { ...options.environment },
    extendEnv: false,
    // It goes on when this process ends: the supervisor, or nobody, ends it then.
    cleanup: false,
    buffer: false,
    reject: false,
    ...(directory === undefined ? {} : { cwd: directory }),
  });
  const { pid } = child;
  if (pid === undefined) {
    const { cause, message } = await child;
    throw cause instanceof Error ? cause : new Error(message);
  }
  const ended = child.then(({ exitCode, signal }) => {
    return exitCode ?? 128 + (signal === undefined ? 0 : constants.signals[signal]);
  });
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(hasOwnGroup ? -pid : pid, signal);
    } catch {
      // It has just ended; `ended` reports it.
    }
  };
  await beforeStart?.(pid);
  const opened: unknown = child.stdio[3];
  if (opened instanceof Writable) opened.on('error', () => undefined).end('\n');
  return { pid, kill, ended };
}
