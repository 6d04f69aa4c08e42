import { spawn } from 'node:child_process';

/** Starts a program of the desktop and lets go of it; one that is missing is no failure. */
export function launch(command: string, words: readonly string[]): void {
  const child = spawn(command, [...words], { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}
