import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Writable } from 'node:stream';

/** Loads the library on first use, because loading takes a third of the time that an empty program takes. */
const load = () => import('execa');

/** Starts a desktop program and detaches from it; a missing program is ignored. */
export async function launch(command: string, words: readonly string[]): Promise<void> {
  const { execa } = await load();
  const child = execa(command, words, { detached: true, stdio: 'ignore', cleanup: false, reject: false });
  child.unref();
}

/**
 * Calls `onClosed` when the pipe on stdout has lost its reader. Node cannot poll for that; GNU `tail -f` does, and
 * exits. Without GNU `tail` it is never called. The returned function ends the watch; so does the end of this process.
 */
export function watchPipe(onClosed: () => void): () => void {
  const words = ['-s', '0.1', `--pid=${process.pid}`, '-f', '/dev/null'];
  const child = spawn('tail', words, { stdio: ['ignore', 'inherit', 'ignore'] });
  const end = () => void child.kill('SIGKILL');
  child.on('error', () => undefined);
  child.on('exit', (_, signal) => {
    if (signal === 'SIGPIPE') onClosed();
  });
  child.unref();
  process.once('exit', end);
  return () => {
    process.off('exit', end);
    end();
  };
}

/**
 * Runs a shell command line with `input` on its stdin, which it need not read, and with the stdout and stderr of this
 * process. Resolves with undefined after success, otherwise with a text such as `exit code 1`.
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
 * Runs Node with these arguments. Resolves with undefined after success, otherwise with the first line of its stderr
 * that names an error.
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
  /** Called with the pid before the command begins; if this process is killed meanwhile, the command never begins. */
  readonly beforeStart?: ((pid: number) => Promise<void>) | undefined;
  readonly directory?: string;
  /** True: no stdin, and its stdout goes to the stderr of this process. */
  readonly writesToStderr?: boolean;
}

/** Waits for a line on descriptor 3 and then becomes the command; ends if descriptor 3 is closed first. */
const waitForLine = 'read go <&3 || exit 143; exec 3<&-; exec "$@"';

const inherited = ['inherit', 'inherit', 'inherit'] as const;

/** Runs a command on this process's streams. @throws the system's error if it cannot be started */
export async function startJob(command: readonly string[], options: JobOptions): Promise<Job> {
  const { beforeStart, hasOwnGroup, directory, writesToStderr = false } = options;
  const [program = '', ...words] =
    beforeStart === undefined ? command : ['/bin/sh', '-c', waitForLine, 'sh', ...command];
  const { execa } = await load();
  const streams = writesToStderr ? (['ignore', 2, 2] as const) : inherited;
  const child = execa(program, words, {
    stdio: beforeStart === undefined ? streams : [...streams, 'pipe'],
    detached: hasOwnGroup,
    env: { ...options.environment },
    extendEnv: false,
    // The command outlives this process; a supervisor ends it if there is one.
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
  const startPipe: unknown = child.stdio[3];
  if (startPipe instanceof Writable) startPipe.on('error', () => undefined).end('\n');
  return { pid, kill, ended };
}
