import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { openChain } from '../../../src/cli/chain/open-chain.js';
import { notRunning } from '../../../src/cli/errors/failed-start.js';
import { showStatus } from '../../../src/cli/stack/watching/observe.js';
import { requireControl } from '../../../src/stack/control/control.js';
import { createStack } from '../../../src/stack/create.js';
import { StackError } from '../../../src/stack/error.js';
import { listStacks } from '../../../src/stack/places/list.js';
import { loadStack, type Stack } from '../../../src/stack/places/locate.js';
import { forgetFailedStart, keepFailedStart } from '../../../src/stack/control/failed-start.js';
import { finalHint, stackStatus } from '../../../src/stack/status.js';
import { emptyView } from '../../../src/supervisor/control/view.js';
import { writeJsonFile } from '../../../src/supervisor/files/json-file.js';
import type { Identity } from '../../../src/supervisor/machine/identity.js';
import { memoryOutput } from '../cli/memory-output.js';
import { aPlace } from './fixtures/place.js';
import { twoProcesses } from './fixtures/processes.js';

it('The hint for a service that a restart cannot help begins with Or if the message names a remedy', () => {
  const reorganised = 'The chain was reorganised. To read its history again: stack node rebuild alice';
  const hints = [reorganised, 'Another chain.', null].map(finalHint);
  expect(hints.map((hint) => /^(?:Or r|R)estore .* stack reset\.$/.test(hint))).toEqual([true, true, true]);
  expect(hints.map((hint) => hint.startsWith('Or '))).toEqual([true, false, false]);
});

/** A stack whose supervisor has written this state and does not listen. */
async function withLastState(supervisor: Identity, state: string, services: Readonly<Record<string, Identity>>) {
  const place = aPlace();
  await createStack(place, { name: 'dev', template: 'minimal', workingDirectory: '/' });
  const stack = await loadStack(place, 'dev');
  const views = Object.entries(services).map(([name, identity]) => ({
    ...emptyView({ name, type: 'service', kind: 'node' } as Parameters<typeof emptyView>[0]),
    state: 'healthy',
    pid: identity.pid,
    identity,
  }));
  const last = { protocol: 1, stack: stack.layout.id, name: 'dev', identity: supervisor, startedAt: 't' };
  await writeJsonFile(stack.layout.state, { ...last, state, lostLogLines: 0, services: views });
  return stack;
}

async function statesOf(stack: Stack): Promise<readonly unknown[]> {
  const [{ state }, [row]] = [await stackStatus(stack), await listStacks(stack.place)];
  return [state, row?.state];
}

test('Status and list show a stack as silent if its supervisor is alive and does not answer', async () => {
  const { living, dead } = await twoProcesses();
  expect(await statesOf(await withLastState(living, 'running', {}))).toEqual(['silent', 'silent']);
  expect(await statesOf(await withLastState(living, 'stopping', {}))).toEqual(['stopping', 'stopping']);
  expect(await statesOf(await withLastState(dead, 'running', {}))).toEqual(['stopped', 'stopped']);
});

test('Status shows the last states of the services of a silent stack, unless they have ended', async () => {
  const { living, dead } = await twoProcesses();
  const stack = await withLastState(living, 'running', { chain: living, store: dead });
  const { services } = await stackStatus(stack);
  expect(services.slice(0, 2)).toMatchObject([
    { name: 'chain', state: 'healthy', health: null, pid: living.pid },
    { name: 'store', state: 'stopped', health: null, pid: null },
  ]);
});

test('Status and commands that need a running stack repeat why its last start failed', async () => {
  const stack = await withLastState((await twoProcesses()).dead, 'running', {});
  const { output, err } = memoryOutput();
  const context = { output, environment: { STACK_HOME: stack.place.home }, program: 'parley' };
  expect((await stackStatus(stack)).failedStart).toBeNull();
  expect(notRunning(await stackStatus(stack), 'parley')).toMatchObject({
    message: 'dev is not running.',
    hint: 'Start it: parley start dev',
  });
  const failure = new StackError('START_FAILED', 'bob failed to start: No disk.', { hint: 'Then: stack reset' });
  await keepFailedStart(stack.layout, failure, '2026-01-01T00:00:00.000Z');
  const status = await stackStatus(stack);
  expect(status.failedStart).toEqual({ at: '2026-01-01T00:00:00.000Z', message: failure.message, hint: failure.hint });
  expect(notRunning(status, 'parley')).toMatchObject({
    code: 'NOT_RUNNING',
    message: expect.stringMatching(/^dev is not running\. Its last start, .* failed: bob failed to start/) as string,
    hint: 'Then: parley reset -s dev',
  });
  await showStatus({ name: 'dev', check: false, hasHeaders: true }, context);
  expect(err()).toMatch(
    /^Its last start, at 2026-01-01T00:00:00.000Z, failed: bob .*\n {2}Then: parley reset -s dev\n/,
  );
  await expect(openChain({ stack: 'dev' }, context)).rejects.toMatchObject({
    code: 'NOT_RUNNING',
    message: expect.stringContaining('failed: bob failed to start') as string,
  });
  await forgetFailedStart(stack.layout);
  expect((await stackStatus(stack)).failedStart).toBeNull();
});

test('A failure that cannot be written or read replaces no other one', async () => {
  const stack = await withLastState((await twoProcesses()).dead, 'running', {});
  const failure = new StackError('START_FAILED', 'bob failed to start: No disk.');
  await writeFile(join(stack.layout.directory, 'file'), '');
  await keepFailedStart(
    { failedStart: join(stack.layout.directory, 'file', 'failed') },
    failure,
    '2026-01-01T00:00:00.000Z',
  );
  await mkdir(stack.layout.data, { recursive: true });
  await writeFile(stack.layout.failedStart, '{');
  expect((await stackStatus(stack)).failedStart).toBeNull();
});

test('Status suggests to stop a silent stack, not to start it', async () => {
  const { living } = await twoProcesses();
  const stack = await withLastState(living, 'running', {});
  const { output, out, err } = memoryOutput();
  const context = { output, environment: { STACK_HOME: stack.place.home }, program: 'parley' };
  const shown = showStatus({ name: 'dev', check: true, hasHeaders: true }, context);
  const remedy = expect.stringContaining('parley stop dev') as string;
  await expect(shown).rejects.toMatchObject({
    code: 'UNHEALTHY',
    message: expect.stringContaining('does not answer') as string,
    hint: remedy,
  });
  expect(out()).toContain('dev · silent');
  expect(err()).toContain('The supervisor of dev is running but does not answer. The table shows its last report.');
  await expect(requireControl(stack)).rejects.toMatchObject({
    code: 'NOT_RUNNING',
    hint: expect.stringContaining('stop dev') as string,
  });
});
