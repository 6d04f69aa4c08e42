import { type IncomingMessage, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { holdServices } from '../../../../src/stack/control/held-services.js';
import { openControl } from '../../../../src/supervisor/control/control.js';
import type { Plan } from '../../../../src/supervisor/plan.js';
import type { Supervisor } from '../../../../src/supervisor/supervisor.js';
import { aDirectory, aPlan, aService, aTask } from '../fixtures/plans.js';
import { runWith } from '../fixtures/running.js';

/** A supervisor that can be asked to hold its services, until the test ends. */
async function controlled(plan: Plan): Promise<Supervisor> {
  const { supervisor, logs, log } = runWith(plan);
  const control = await openControl({
    socket: plan.socket,
    readPlan: () => Promise.resolve(plan),
    supervisor,
    logs,
    log,
    onStopped: () => undefined,
  });
  onTestFinished(() => control.close());
  return supervisor;
}

function statesOf(supervisor: Supervisor): string[] {
  return supervisor.status().services.map(({ name, state }) => `${name} ${state}`);
}

function letterOf(supervisor: Supervisor, name: string): string | undefined {
  const pid = supervisor.service(name)?.view().pid ?? 0;
  return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}

function aPair(): Plan {
  const directory = aDirectory();
  return aPlan(directory, [aService(directory, 'chain'), aService(directory, 'alice')]);
}

describe.runIf(process.platform === 'linux')('A hold', () => {
  test('pauses every process until it is released, and reports that nothing has changed', async () => {
    const plan = aPair();
    const supervisor = await controlled(plan);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
    const held = await holdServices(plan.socket);
    expect(statesOf(supervisor)).toEqual(['chain paused', 'alice paused']);
    expect([letterOf(supervisor, 'chain'), letterOf(supervisor, 'alice')]).toEqual(['T', 'T']);
    expect(await held.release()).toBe(true);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
  });

  test('ends with the process that took it', async () => {
    const plan = aPair();
    const supervisor = await controlled(plan);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
    const call = request({ socketPath: plan.socket, method: 'POST', path: '/hold' }).on('error', () => undefined);
    const answered = new Promise<IncomingMessage>((resolve) => call.once('response', resolve));
    call.end();
    expect((await answered).statusCode).toBe(200);
    expect(statesOf(supervisor)).toEqual(['chain paused', 'alice paused']);
    call.destroy();
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
  });

  test('reports if another client has resumed a service, and resumes the others', async () => {
    const plan = aPair();
    const supervisor = await controlled(plan);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
    const held = await holdServices(plan.socket);
    supervisor.service('alice')?.resume();
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
    expect(await held.release()).toBe(false);
  });

  test('leaves services paused that were paused before', async () => {
    const plan = aPair();
    const supervisor = await controlled(plan);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice healthy']);
    await supervisor.service('alice')?.pause();
    expect(await (await holdServices(plan.socket)).release()).toBe(true);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'alice paused']);
  });

  test('is refused while a task is running, and during another hold', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [aService(directory, 'chain'), aTask(directory, 'deploy', {}, { hang: true })]);
    const supervisor = await controlled(plan);
    await expect.poll(() => statesOf(supervisor)).toEqual(['chain healthy', 'deploy starting']);
    const refused = { code: 'SNAPSHOT_FAILED', exitCode: 8 };
    await expect(holdServices(plan.socket)).rejects.toMatchObject(refused);
    expect(statesOf(supervisor)).toEqual(['chain healthy', 'deploy starting']);
    await supervisor.service('deploy')?.stop();
    const held = await holdServices(plan.socket);
    const message = 'The stack cannot be paused: another command has paused it.';
    await expect(holdServices(plan.socket)).rejects.toMatchObject({ ...refused, message });
    expect(await held.release()).toBe(true);
  });
});
