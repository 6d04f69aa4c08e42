import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  identify,
  isAlive,
  killGroup,
  signalGroup,
  waitUntilGone,
} from '../../../../src/supervisor/machine/identity.js';

describe('The identity of a process', () => {
  test('is the same as long as it lives', async () => {
    const own = await identify(process.pid);
    expect(own).toEqual(await identify(process.pid));
    expect(own !== undefined && (await isAlive(own))).toBe(true);
  });

  test('is not that of another process with its pid', async () => {
    const own = await identify(process.pid);
    if (own === undefined) throw new Error('This process cannot be identified.');
    expect(await isAlive({ ...own, started: '1' })).toBe(false);
    expect(await isAlive({ ...own, boot: 'earlier' })).toBe(false);
    expect(await killGroup({ ...own, started: '1' }, 1_000)).toBe(true);
  });

  test.runIf(process.platform === 'linux')('ends with the process, also while it is a zombie', async () => {
    // The shell becomes a program that never asks for its children; only then may the child end.
    const script = 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 60';
    const shell = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => {
      shell.kill('SIGKILL');
    });
    const [output] = (await once(shell.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString().trim());
    expect(await identify(pid)).toBeDefined();
    await expect.poll(() => readFile(`/proc/${shell.pid}/comm`, 'utf8')).toBe('sleep\n');
    shell.stdin.end();
    await expect.poll(() => identify(pid)).toBeUndefined();
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  test.runIf(process.platform === 'linux')('ends with the last thread of the process, not with the first', async () => {
    const threads =
      'const { Worker } = require("worker_threads"); for (let n = 0; n < 8; n++) new Worker("for (;;);", eval)';
    const program = `const eval = { eval: true }; ${threads}; setTimeout(() => console.log(process.pid), 200);`;
    for (let time = 0; time < 5; time++) {
      const parent = spawn('sh', ['-c', 'exec 3<&0; "$0" -e "$1" <&3 & exec sleep 60', process.execPath, program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [output] = (await once(parent.stdout, 'data')) as [Buffer];
      const identity = await identify(Number(output.toString().trim()));
      if (identity === undefined) throw new Error('The process cannot be identified.');
      process.kill(identity.pid, 'SIGKILL');
      expect(await waitUntilGone(identity, 10_000)).toBe(true);
      // It is the only thread left, and waits to be reaped.
      expect(await readdir(`/proc/${identity.pid}/task`)).toEqual([String(identity.pid)]);
    }
  });

  test('is waited for and, if necessary, ended with its whole group', async () => {
    const leader = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    const [output] = (await once(leader.stdout, 'data')) as [Buffer];
    const identity = await identify(leader.pid ?? 0);
    if (identity === undefined) throw new Error('The process cannot be identified.');
    expect(await waitUntilGone(identity, 50)).toBe(false);
    expect(await killGroup(identity, 5_000)).toBe(true);
    await expect.poll(() => identify(Number(output.toString().trim()))).toBeUndefined();
  });

  test('is gone, on macOS, as soon as only zombies are left of its group', () => {
    const own = process.platform;
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    onTestFinished(() => {
      vi.restoreAllMocks();
      Object.defineProperty(process, 'platform', { value: own });
    });
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    expect(signalGroup(7, 'SIGCONT')).toBe(false);
    Object.defineProperty(process, 'platform', { value: 'linux' });
    expect(() => signalGroup(7, 'SIGCONT')).toThrow('EPERM');
  });
});
