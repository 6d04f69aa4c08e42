import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Set once the run has its folder. */
const given = 'PARLEY_TEST_RUN';

/** Names a file with certificate authorities. Each Node.js process reads it at start, a third of a short start. */
const authorities = 'NODE_EXTRA_CA_CERTS';
const keptAuthorities = `PARLEY_TEST_${authorities}`;

/** The environment of a program that downloads from the web. All other programs of a run use this machine alone. */
export function webEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, [authorities]: process.env[keptAuthorities] };
}

const guardFile = fileURLToPath(new URL('run-guard.mjs', import.meta.url));

/** The temporary folder of this test run. */
export function runFolder(): string {
  const folder = process.env[given];
  if (folder === undefined) throw new Error('A test runs in a test run, which has a folder.');
  return folder;
}

/**
 * Creates the temporary folder of a test run, before any test is loaded, and starts the guard that removes it with all
 * processes of the run, even if the run is killed. Vitest calls it once for each project.
 */
export function setup(): (() => Promise<void>) | undefined {
  if (process.env[given] !== undefined) return undefined;
  // The name is short because paths of sockets, which are below it, are limited to about a hundred characters.
  const folder = mkdtempSync(join(tmpdir(), 'pt-'));
  // PostgreSQL runs as another user, which must reach its directory.
  chmodSync(folder, 0o711);
  const guard = spawn(process.execPath, [guardFile, folder], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  // The guard finds the processes of the run by the folder, because every program inherits TMPDIR.
  process.env['TMPDIR'] = folder;
  const file = process.env[authorities];
  if (file !== undefined) process.env[keptAuthorities] = file;
  delete process.env[authorities];
  process.env[given] = folder;
  const ended = new Promise<void>((resolve) => guard.stdout.resume().once('close', () => resolve()));
  return async () => {
    guard.stdin.end();
    await ended;
    guard.unref();
  };
}
