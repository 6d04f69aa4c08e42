import { spawn } from 'node:child_process';

/** Starts a program of the desktop and lets go of it; one that is missing is no failure. */
export function launch(command: string, words: readonly string[]): void {
  const child = spawn(command, [...words], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}

/**
 * Calls `left` when the pipe on our stdout has lost its reader. Node cannot poll for that; GNU `tail -f` does, and
 * dies of it. Where that program is missing or another, nothing happens. The returned function ends the watch; it
 * also ends with us.
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
 * Runs a command line of the shell with this text on its stdin; stdout and stderr are ours. Resolves when it has ended:
 * with nothing after success, else with how it ended. It need not read its stdin.
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
