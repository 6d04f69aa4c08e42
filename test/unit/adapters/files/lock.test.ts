import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compiled } from '../../../support/compiled.js';
import { acquireLock } from '../../../../src/adapters/files/lock.js';

const lockModule = compiled('src/adapters/files/lock.ts');
/** Runs a program that sees no other processes, as in another container. */
const unshare = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const children: ChildProcess[] = [];
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  }
  await rm(directory, { recursive: true });
});

describe('acquireLock', () => {
  it('refuses a directory that this process holds, until it is released', async () => {
    const release = await acquireLock(directory);
    await expect(acquireLock(directory)).rejects.toThrow(`in use by process ${process.pid}.`);
    await release();
    await (
      await acquireLock(directory)
    )();
  });

  it('takes over from a process that was killed', async () => {
    const child = startHolder();
    expect(await firstLine(child)).toBe('held');
    await expect(acquireLock(directory)).rejects.toThrow(`in use by process ${child.pid}.`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await (
      await acquireLock(directory)
    )();
  });

  it.skipIf(process.platform !== 'linux')(
    'refuses a directory that a process holds which sees no other: one in another container',
    async () => {
      const child = startHolder(unshare);
      expect(await firstLine(child)).toBe('held');
      await expect(acquireLock(directory)).rejects.toThrow('in use by process 1.');
    },
  );

  it('admits exactly one of several starters', async () => {
    const starters = Array.from({ length: 6 }, () => startHolder());
    const lines = await Promise.all(starters.map((child) => firstLine(child)));
    expect(lines.filter((line) => line === 'held')).toHaveLength(1);
    expect(lines.filter((line) => line === 'refused')).toHaveLength(5);
  });
});

function start(program: string, words: readonly string[]): ChildProcess {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** Starts a process that tries to get the lock, prints the result, and stays. */
function startHolder(inside: readonly string[] = []): ChildProcess {
  const code = `
    import { acquireLock } from ${JSON.stringify(lockModule)};
    const outcome = await acquireLock(${JSON.stringify(directory)}).then(() => 'held', () => 'refused');
    console.log(outcome);
    setInterval(() => {}, 1000);`;
  const [program = '', ...words] = [...inside, process.execPath, '--input-type=module', '-e', code];
  return start(program, words);
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout ?? child, 'data');
  return String(chunk).trim();
}
