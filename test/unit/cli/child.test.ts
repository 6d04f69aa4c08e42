import { describe, expect, it } from 'vitest';
import { runNode, runShell, startJob } from '../../../src/cli/child.js';

const own = { environment: { PATH: process.env['PATH'] }, hasOwnGroup: true };

describe('a command line of a user', () => {
  it.each([
    ['cat > /dev/null', undefined],
    ['true', undefined],
    ['exit 3', 'exit code 3'],
    ['kill -9 $$', 'signal SIGKILL'],
  ])('"%s" ends with %s, whether or not it reads its stdin', async (commandLine, outcome) => {
    expect(await runShell(commandLine, 'x'.repeat(1_000_000))).toBe(outcome);
  });
});

describe('Node', () => {
  it('answers with the line of its error', async () => {
    const failing = `console.error('Look:\\nError: bad'); process.exit(1)`;
    expect(await runNode(['-e', failing], '/')).toBe('Error: bad');
    expect(await runNode(['-e', '1'], '/')).toBeUndefined();
  });
});

describe('a job', () => {
  it('ends with its exit code, or with 128 and the signal', async () => {
    expect(await (await startJob(['sh', '-c', 'exit 7'], own)).ended).toBe(7);
    const sleeping = await startJob(['sleep', '60'], own);
    sleeping.kill('SIGTERM');
    expect(await sleeping.ended).toBe(143);
  });

  it('has started when its pid is known', async () => {
    const pids: number[] = [];
    const beforeStart = (pid: number) => Promise.resolve(void pids.push(pid));
    const job = await startJob(['sh', '-c', 'exit 5'], { ...own, beforeStart });
    expect(await job.ended).toBe(5);
    expect(pids).toEqual([job.pid]);
  });

  it('has no stdin when it runs in the background', async () => {
    const job = await startJob(['sh', '-c', 'read line || exit 9'], { ...own, writesToStderr: true });
    expect(await job.ended).toBe(9);
  });

  it.each([
    [['/nonexistent'], 'ENOENT'],
    [['/etc/passwd'], 'EACCES'],
  ])('that cannot be started fails with the error of the system: %j, %s', async (command, code) => {
    await expect(startJob(command, own)).rejects.toMatchObject({ code });
  });
});
