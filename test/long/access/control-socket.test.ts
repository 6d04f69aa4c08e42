import { chmod, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { layoutOf, placeFrom } from '../../../src/stack/layout.js';
import { loadStack } from '../../../src/stack/places/locate.js';
import { startStack } from '../../../src/stack/running/start.js';
import { stackStatus } from '../../../src/stack/status.js';
import { stopStack } from '../../../src/stack/running/stop.js';
import { createCli } from '../../e2e/fixtures/cli.js';
import { aStack, removed } from '../../e2e/fixtures/stack.js';

test('a command sends nothing to a control socket that another user could have created', async () => {
  const cli = createCli();
  onTestFinished(() => cli.remove());
  await cli.run(['init', '--template', 'ci']);
  const place = placeFrom(cli.environment);
  const { socket, id } = layoutOf(join(place.home, 'stacks', 'dev'), place);
  await mkdir(dirname(socket), { recursive: true, mode: 0o700 });
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const identity = { pid: process.pid, started: '0', boot: '0' };
    response.end(JSON.stringify({ protocol: 1, stack: id, name: 'dev', identity, startedAt: '' }));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  await chmod(dirname(socket), 0o755);
  for (const words of [['status'], ['start'], ['stop'], ['list'], ['messages', 'list']]) {
    const { code, err } = await cli.run(words);
    expect([words, code]).toEqual([words, 9]);
    expect(err).toContain('another user');
  }
  expect(asked).toEqual([]);
});

test('a start whose socket path would be too long names the variable that shortens it', async () => {
  const cli = createCli();
  onTestFinished(() => cli.remove());
  const environment = { STACK_HOME: join(cli.directory, 'x'.repeat(100)), XDG_RUNTIME_DIR: '' };
  await cli.run(['init', '--template', 'ci'], { environment });
  const { code, err } = await cli.run(['start'], { environment });
  expect(code).toBe(9);
  expect(err).toContain('STACK_HOME');
});

test('a stack that was started with another directory for its socket is found and stopped', async () => {
  const stack = await aStack('minimal');
  onTestFinished(() => removed(stack));
  await startStack(stack);
  const elsewhere = await loadStack({ ...stack.place, runtimeDirectory: join(stack.place.home, 'run') }, 'dev');
  expect((await stackStatus(elsewhere)).state).toBe('running');
  expect((await startStack(elsewhere)).alreadyRunning).toBe(true);
  expect((await stopStack(elsewhere)).forced).toEqual([]);
  expect((await startStack(elsewhere)).state).toBe('running');
  expect((await stackStatus(stack)).state).toBe('running');
});
