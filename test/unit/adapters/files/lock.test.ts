import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compiled } from '../../../support/compiled.js';
import { eventually } from '../../../support/eventually.js';
import { acquireLock } from '../../../../src/adapters/files/lock.js';

const lockModule = compiled('src/adapters/files/lock.ts');
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
    expect(await readdir(directory)).toEqual([]);
  });

  it('refuses a directory that a live process holds, and says which', async () => {
    const child = start('sleep', ['600']);
    await writeFile(join(directory, await markOf(child.pid ?? 0)), '');
    await expect(acquireLock(directory)).rejects.toThrow(`in use by process ${child.pid}.`);
    expect(await readdir(directory)).toHaveLength(1);
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
    expect(await readdir(directory)).toEqual([]);
  });

  it('takes over from a zombie', async () => {
    // The shell starts a child and becomes `sleep`, which never asks for the child's end. The shell itself would, so
    // the child lives until there is no shell any more.
    const parent = start('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60']);
    const pid = Number(await firstLine(parent));
    const mark = await markOf(pid);
    await eventually(async () => expect(await readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'));
    process.kill(pid, 'SIGKILL');
    await eventually(async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '));
    await writeFile(join(directory, mark), '');
    await (
      await acquireLock(directory)
    )();
  });

  it('takes over from a process of an earlier boot, and from one whose number another has now', async () => {
    const mark = await markOf(process.ppid);
    const [, pid, started, boot = ''] = mark.split('-');
    await writeFile(join(directory, `lock-${pid}-${started}-${boot.replace(/./g, '0')}`), '');
    await writeFile(join(directory, `lock-${pid}-${Number(started) + 1}-${boot}`), '');
    await (
      await acquireLock(directory)
    )();
    expect(await readdir(directory)).toEqual([]);
  });

  it('lets exactly one of several starters in', async () => {
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

/** A process that tries to get the lock, says what came of it, and stays. */
function startHolder(): ChildProcess {
  const code = `
    import { acquireLock } from ${JSON.stringify(lockModule)};
    const outcome = await acquireLock(${JSON.stringify(directory)}).then(() => 'held', () => 'refused');
    console.log(outcome);
    setInterval(() => {}, 1000);`;
  return start(process.execPath, ['--input-type=module', '-e', code]);
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout ?? child, 'data');
  return String(chunk).trim();
}

/** The mark that a process would leave. */
async function markOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim().replaceAll('-', '');
  return `lock-${pid}-${started}-${boot}`;
}
