import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const guardFile = fileURLToPath(new URL('support/run-guard.mjs', import.meta.url));

/** A program that holds the guard of a run as a test run does, until it is killed. */
const holder = `
  const guard = require('node:child_process').spawn(process.execPath, [process.argv[1], process.argv[2]], {
    stdio: ['pipe', 'ignore', 'ignore'], detached: true,
  });
  guard.once('spawn', () => console.log('held'));
  setInterval(() => {}, 60_000);
`;

/** Starts a process that ends by a signal alone. */
function endless(environment: Record<string, string>, code = ''): ChildProcess {
  const env = { ...process.env, ...environment };
  return spawn(process.execPath, ['-e', `${code} setInterval(() => {}, 60_000); console.log('up');`], { env });
}

it('a test run that is killed leaves neither processes nor its folder behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  mkdirSync(join(folder, 'left'));
  writeFileSync(join(folder, 'left', 'file'), 'x');
  const ofRun = endless({ TMPDIR: join(folder, 'left') });
  const other = endless({ TMPDIR: `${folder}-other` });
  const run = spawn(process.execPath, ['-e', holder, guardFile, folder]);
  await Promise.all([ofRun, other, run].map(({ stdout }) => once(stdout ?? run, 'data')));
  const ended = once(ofRun, 'exit');
  run.kill('SIGKILL');
  await ended;
  await expect.poll(() => existsSync(folder)).toBe(false);
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill('SIGKILL');
});
