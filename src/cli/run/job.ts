import { isatty } from 'node:tty';
import { startJob } from '../child.js';
import { CliError } from '../errors/exit.js';
import type { Environment } from '../terminal/output.js';
import type { Signals } from '../signals.js';

export interface JobRequest {
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly signals: Signals;
  /** Called with the pid of the command before it begins. */
  readonly beforeStart?: (pid: number) => Promise<void>;
}

/** Time until a command that was asked to end is killed. */
const graceMs = 10_000;
const standardStreams = [0, 1, 2];

/**
 * Runs a command and resolves with its exit code. Signals are forwarded. A command that has not ended 10 s after the
 * first signal, or at the second one, is killed. At a terminal Ctrl-C reaches the command directly, which may ignore
 * it.
 *
 * @throws CliError UNKNOWN_COMMAND if it cannot be run
 */
export async function runCommand({ command, environment, signals, beforeStart }: JobRequest): Promise<number> {
  const hasTerminal = standardStreams.some((stream) => isatty(stream));
  const options = { environment, hasOwnGroup: !hasTerminal, beforeStart };
  const job = await startJob(command, options).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError('UNKNOWN_COMMAND', `"${command[0] ?? ''}" cannot be run: ${reason}.`, { cause });
  });
  let kill: NodeJS.Timeout | undefined;
  const stop = signals.listen((signal) => {
    if (hasTerminal && signal === 'SIGINT') return;
    job.kill(kill === undefined ? signal : 'SIGKILL');
    kill ??= setTimeout(() => {
      job.kill('SIGKILL');
    }, graceMs);
  });
  try {
    return await job.ended;
  } finally {
    stop();
    clearTimeout(kill);
  }
}
