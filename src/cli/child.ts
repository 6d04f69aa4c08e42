import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { Writable } from 'node:stream';

/** Starts a desktop program and detaches from it; a missing program is ignored. */
export function launch(command: string, words: readonly string[]): void {
  const child = spawn(command, [...words], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
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
export function runShell(commandLine: string, input: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', commandLine], { stdio: ['pipe', 'inherit', 'inherit'] });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => {
      resolve(error.message);
    });
    child.on('close', (code, signal) => {
      resolve(code === 0 ? undefined : code === null ? `signal ${signal ?? ''}` : `exit code ${code}`);
    });
  });
}

/**
 * Runs Node with these arguments; resolves with undefined after success, otherwise with the last line of its stderr.
 */
export function runNode(words: readonly string[], directory: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...words], { cwd: directory, timeout: nodeLimitMs }, (error, _, stderr) => {
      const lines = stderr.trim().split('\n');
      resolve(error === null ? undefined : (lines.find((line) => /error/i.test(line)) ?? error.message));
    });
  });
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
  const child = spawn(program, words, {
    stdio: [
      ...(isAside ? (['ignore', 2, 2] as const) : inherited),
      ...(beforeStart === undefined ? [] : ['pipe' as const]),
    ],
    detached: hasOwnGroup,
    env: { ...options.environment },
    ...(directory === undefined ? {} : { cwd: directory }),
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve).once('error', reject);
  });
  const { pid = 0 } = child;
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
  const kill = (signal: NodeJS.Signals): void => {
    try {
      process.kill(hasOwnGroup ? -pid : pid, signal);
    } catch {
      // It has just ended; `ended` reports it.
    }
  };
  await beforeStart?.(pid);
  const opened = child.stdio[3];
  if (opened instanceof Writable) opened.on('error', () => undefined).end('\n');
  return { pid, kill, ended };
}
