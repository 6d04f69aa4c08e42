import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { oncePerRun } from './support/once-per-run.js';

const guardFile = fileURLToPath(new URL('support/run-guard.mjs', import.meta.url));

/** A program that holds the guard of a run, as a test run does, until it is killed. */
const holder = `
  const guard = require('node:child_process').spawn(process.execPath, [process.argv[1], process.argv[2]], {
    stdio: ['pipe', 'ignore', 'ignore'], detached: true,
  });
  guard.once('spawn', () => console.log('held'));
  setInterval(() => {}, 60_000);
`;

/** Starts a process that ends only by a signal. */
function endless(environment: Record<string, string>, code = ''): ChildProcess {
  const env = { ...process.env, ...environment };
  return spawn(process.execPath, ['-e', `${code} setInterval(() => {}, 60_000); console.log('up');`], { env });
}

it('a test run that is killed leaves no processes and no folder', async () => {
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

it('a resource that the processes of a run share is made once, by the first that asks', async () => {
  let made = 0;
  const name = randomUUID();
  const make = async (): Promise<string> => `made ${(made += 1)}`;
  const texts = await Promise.all([oncePerRun(name, make), oncePerRun(name, make)]);
  expect(texts).toEqual(['made 1', 'made 1']);
});

it('a shared resource that cannot be made is an error for all processes that wait for it', async () => {
  const name = randomUUID();
  const fail = async (): Promise<string> => Promise.reject(new Error('no room'));
  const endings = await Promise.allSettled([oncePerRun(name, fail), oncePerRun(name, fail)]);
  for (const ending of endings)
    expect(ending).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('no room') } });
});
