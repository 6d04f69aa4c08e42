import { chmod, cp, readdir, readFile, rename, rm, stat, statfs, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureOf as failureToShow, printFailure } from '../../../src/cli/errors/failure.js';
import { waitFor } from '../../../src/cli/stack/watching/wait-for.js';
import { connectControl } from '../../../src/stack/control/control.js';
import { signingKeyFile } from '../../../src/stack/keys/keys.js';
import { nodeData } from '../../../src/stack/layout.js';
import { startStack } from '../../../src/stack/running/start.js';
import { stackStatus } from '../../../src/stack/status.js';
import { stopStack } from '../../../src/stack/running/stop.js';
import { freePortBase } from '../../support/port-base.js';
import { noSmallDisk, openSmallDisk, type SmallDisk } from '../../support/small-disk.js';
import { memoryOutput } from '../../unit/cli/memory-output.js';
import { createCli } from '../../e2e/fixtures/cli.js';
import { byCommand } from '../../e2e/fixtures/stack-cli.js';
import { aStack, removed } from '../../e2e/fixtures/stack.js';

async function failureOf(start: Promise<unknown>): Promise<unknown> {
  return start.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Returns the last line that the command line prints for a failure. */
async function lastLineOf(failure: unknown): Promise<string> {
  const { output, err } = memoryOutput();
  await printFailure(output, failureToShow(failure, 'stack'), failure);
  return err().trimEnd().split('\n').at(-1) ?? '';
}

/** Expects that the failure shows records, none of them from before the start. */
function expectOnlySince(failure: unknown, time: string): void {
  const { lines } = (failure as { readonly details: { readonly lines: readonly string[] } }).details;
  const times = lines.map((line) => (JSON.parse(line) as { readonly time: string }).time);
  expect(times.every((each) => each >= time)).toBe(true);
}

describe('A start that fails', () => {
  test('because of a used port names the process that uses it, and starts nothing', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    const { services } = await startStack(stack);
    await stopStack(stack);
    const port = services.find(({ name }) => name === 'bob')?.port ?? 0;
    const server = createServer().listen(port, '127.0.0.1');
    await expect(startStack(stack)).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      exitCode: 6,
      details: { port, service: 'bob' },
    });
    expect((await stackStatus(stack)).state).toBe('stopped');
    await new Promise((resolve) => server.close(resolve));
    expect((await startStack(stack)).state).toBe('running');
  });

  test('because of a damaged journal names the chain, keeps the evidence and leaves nothing running', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    await startStack(stack);
    await stopStack(stack);
    const journal = join(stack.layout.chainData, 'journal');
    const whole = await readFile(journal);
    const damaged = Buffer.from(whole);
    damaged.fill('x', Math.floor(whole.length / 3), Math.floor(whole.length / 3) + 40);
    await writeFile(journal, damaged);
    const failure = await startStack(stack).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'START_FAILED', exitCode: 8, details: { service: 'chain' } });
    expect(await lastLineOf(failure)).toMatch(/journal is damaged at byte \d+.* stack reset dev\..*crash/);
    const [crash] = await readdir(stack.layout.crash);
    expect(await readdir(join(stack.layout.crash, crash ?? ''))).toContain('chain.ndjson');
    const { message } = failure as Error;
    expect(await stackStatus(stack)).toMatchObject({ state: 'stopped', failedStart: { message } });
    await writeFile(journal, whole);
    expect(await startStack(stack)).toMatchObject({ state: 'running', failedStart: null });
    await stopStack(stack);
    expect(await stackStatus(stack)).toMatchObject({ state: 'stopped', failedStart: null });
  });

  test('because of a truncated journal reports it, and suggests what to do', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    await startStack(stack);
    await stopStack(stack);
    const journal = join(stack.layout.chainData, 'journal');
    const { size } = await stat(journal);
    await truncate(journal, Math.floor((size * 2) / 3));
    const last = await lastLineOf(await failureOf(startStack(stack, { smoke: false })));
    expect(last).toMatch(/^✗ (?:alice|bob) failed to start: .*the end of its journal is missing.* stack reset\./);
  });

  test('because of a disk with too little room reports it at once, and starts nothing', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    const minFreeDisk = 1_099_511_627_776;
    const limits = { ...stack.settings.limits, minFreeDisk };
    await expect(startStack({ ...stack, settings: { ...stack.settings, limits } })).rejects.toMatchObject({
      code: 'DISK_FULL',
      exitCode: 8,
      details: { minFreeDisk },
    });
    expect((await stackStatus(stack)).state).toBe('stopped');
  });

  test('because of a damaged database names the node and suggests what to do', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    await startStack(stack);
    await stopStack(stack);
    const file = join(nodeData(stack.layout, 'bob'), 'db.sqlite3');
    const whole = await readFile(file);
    await writeFile(file, Buffer.from(whole).fill(0xa5, Math.floor(whole.length / 2)));
    await expect(startStack(stack)).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringMatching(/^bob failed to start: The database of this node is damaged/),
      details: { service: 'bob' },
    });
    await writeFile(file, whole);
    expect((await startStack(stack)).state).toBe('running');
  });

  test('because others can read a key starts nothing', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    await chmod(signingKeyFile(stack.layout, 'alice'), 0o644);
    await expect(startStack(stack)).rejects.toMatchObject({ code: 'KEY_NOT_PRIVATE', exitCode: 9 });
    expect((await stackStatus(stack)).state).toBe('stopped');
  });

  test('because the nodes know another chain ends at once, and names the node and the reason', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    const begunAt = new Date().toISOString();
    await startStack(stack);
    await stopStack(stack);
    await rename(stack.layout.chainData, `${stack.layout.chainData}.kept`);
    const failure = await failureOf(startStack(stack, { smoke: false, timeoutMs: 0 }));
    expect(failure).toMatchObject({
      code: 'START_FAILED',
      exitCode: 8,
      hint: expect.stringContaining('stack reset'),
      details: {
        service: expect.stringMatching(/^(alice|bob)$/),
        // The message depends on whether the contracts were deployed again before.
        message: expect.stringMatching(/Block \d+ was|no contract at .* Is it the right chain/),
      },
    });
    expectOnlySince(failure, begunAt);
    expect((await stackStatus(stack)).state).toBe('stopped');
    await rm(stack.layout.chainData, { recursive: true });
    await rename(`${stack.layout.chainData}.kept`, stack.layout.chainData);
    expect((await startStack(stack)).state).toBe('running');
  });

  test('because a node has older data ends at once, and keeps its reason in the status', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    await startStack(stack);
    await stopStack(stack);
    const data = nodeData(stack.layout, 'alice');
    await cp(data, `${data}.older`, { recursive: true });
    await startStack(stack, { smoke: true });
    await stopStack(stack);
    await rm(data, { recursive: true });
    await rename(`${data}.older`, data);
    const failure = await failureOf(startStack(stack, { smoke: false, timeoutMs: 0 }));
    expect(failure).toMatchObject({
      code: 'START_FAILED',
      details: { service: 'alice', message: expect.stringContaining('older copy') },
    });
    // The next start would join a supervisor that still answered while it ends.
    expect(await connectControl(stack.layout)).toBeUndefined();
    await startStack(stack, { smoke: false, wait: false });
    const alice = async () => (await stackStatus(stack)).services.find(({ name }) => name === 'alice');
    await expect.poll(async () => (await alice())?.state).toBe('failed');
    expect(await alice()).toMatchObject({ restarts: 0, isFinal: true, message: expect.stringContaining('older copy') });
    const environment = { STACK_HOME: stack.place.home, XDG_RUNTIME_DIR: stack.place.runtimeDirectory };
    const context = { environment, output: memoryOutput().output, program: 'stack' };
    for (const condition of ['healthy', 'idle']) {
      const waited = waitFor({ name: 'dev', for: [condition], timeout: '0' }, context);
      expect(await failureOf(waited)).toMatchObject({
        code: 'UNHEALTHY',
        message: expect.stringMatching(/^alice ended and will not be restarted: .*older copy/),
      });
    }
  });

  test('because of the time limit reports what was missing, and what that service has logged', async () => {
    const stack = await aStack('minimal');
    onTestFinished(() => removed(stack));
    const begunAt = new Date().toISOString();
    const failure = await failureOf(startStack(stack, { timeoutMs: 1 }));
    expect(failure).toMatchObject({ code: 'START_TIMEOUT', exitCode: 5, details: { service: expect.any(String) } });
    expectOnlySince(failure, begunAt);
    expect((await stackStatus(stack)).state).toBe('stopped');
    expect((await startStack(stack)).state).toBe('running');
  });
});

/** Starts a stack of a template on a small disk; both are removed when the test ends. */
async function startOnSmallDisk(disk: SmallDisk) {
  const cli = createCli();
  const environment = { STACK_HOME: join(disk.directory, 'home') };
  const run = (...words: readonly string[]) => cli.run(words, { environment });
  onTestFinished(async () => {
    await run('remove', '--all', '--yes', '--force');
    await cli.remove();
    await disk.remove();
  });
  const room = ['--set', 'limits.minFreeDisk=8388608'];
  await run('init', 'dev', '-t', 'minimal', '--port-base', await freePortBase(), ...room, '-q');
  expect(await run('start', '-q')).toMatchObject({ code: 0 });
  const filler = join(disk.directory, 'filler');
  const fill = async (leftBytes: number): Promise<void> => {
    const { bavail, bsize } = await statfs(disk.directory);
    await writeFile(filler, Buffer.alloc(bavail * bsize - leftBytes));
  };
  return { run, fill, free: () => rm(filler) };
}

describe('A disk that fills up while a stack runs', () => {
  test('is reported with what to do, causes no losses, and is over when there is room again', async ({ skip }) => {
    const disk = await openSmallDisk(96 * 1_024);
    if (disk === undefined) return skip(noSmallDisk);
    const { run, fill, free } = await startOnSmallDisk(disk);
    const before = await run('broadcast', 'before', '--wait', 'all', '-q');
    await fill(1_048_576);
    const during = await run('broadcast', 'during', '--timeout', '3s', '-q');
    expect(during).toMatchObject({
      code: 5,
      err: expect.stringMatching(/blocked: at alice: the disk is full: .*Free some space/),
    });
    for (const words of [['status'], ['messages', 'list'], ['logs', '-n', '5'], ['list']]) {
      const { code, err } = await run(...words);
      expect([words, code, err]).toEqual([words, 0, '']);
    }
    await free();
    await expect.poll(() => run('broadcast', 'after', '--wait', 'all', '-q'), byCommand).toMatchObject({ code: 0 });
    expect(await run('messages', 'data', before.out.trim(), '-p', 'bob', '-q')).toMatchObject({ out: '"before"\n' });
    expect(await run('wait', '--for', `message=${during.out.trim()}@all`, '--timeout', '60s')).toMatchObject({
      code: 0,
    });
  });

  test('completely does not keep a stack from being stopped, or removed while it runs', async ({ skip }) => {
    const disk = await openSmallDisk(96 * 1_024);
    if (disk === undefined) return skip(noSmallDisk);
    const { run, fill, free } = await startOnSmallDisk(disk);
    await fill(0);
    expect(await run('stop', 'dev')).toMatchObject({ code: 0 });
    expect(await run('list', '-q')).toMatchObject({ code: 0, out: 'dev\n' });
    await free();
    expect(await run('start', '-q')).toMatchObject({ code: 0 });
    await fill(0);
    expect(await run('remove', 'dev', '--yes')).toMatchObject({ code: 0 });
    expect(await run('list', '-q')).toMatchObject({ code: 0, out: '' });
  });
});
