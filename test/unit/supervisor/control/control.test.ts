import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { openControl } from '../../../../src/supervisor/control/control.js';
import { createLogs } from '../../../../src/supervisor/files/logs.js';
import type { Supervisor } from '../../../../src/supervisor/supervisor.js';
import type { SupervisorStatus } from '../../../../src/supervisor/control/view.js';
import { hostileRequests, sendHostile, unharmed } from '../../../support/hostile-requests.js';
import { aDirectory, aPlan } from '../fixtures/plans.js';

describe('The control socket', () => {
  test('continues after every malformed request', async () => {
    const { socket } = await open();
    expect(await sendHostile(hostileRequests('supervisor'), { path: socket })).toEqual(unharmed);
    expect(await ask(socket, 'GET', '/health')).toMatchObject({ status: 200 });
  });

  test('answers an invalid target like a missing one', async () => {
    const { socket } = await open();
    expect(await ask(socket, 'GET', '//')).toMatchObject({ status: 404 });
    expect(await ask(socket, 'GET', '//[')).toMatchObject({ status: 404 });
  });

  test('ends after a stop even if the client has disconnected', async () => {
    let finish = (): void => undefined;
    const stopped = new Promise<string[]>((resolve) => (finish = () => resolve([])));
    const { socket, calls } = await open({ stop: () => (calls.push('stop'), stopped) });
    const call = request({ socketPath: socket, method: 'POST', path: '/stop' }).on('error', () => undefined);
    call.end();
    await expect.poll(() => calls.includes('stop')).toBe(true);
    call.destroy();
    // The server has closed the connection when it answers another one that came later.
    await ask(socket, 'GET', '/health');
    finish();
    await expect.poll(() => calls.includes('stopped')).toBe(true);
  });

  test('disconnects a client that does not read, and continues', async () => {
    const listeners = new Set<(status: SupervisorStatus) => void>();
    const { socket } = await open({
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    const call = request({ socketPath: socket, path: '/status/stream' }, (response) => response.pause()).on(
      'error',
      () => undefined,
    );
    call.end();
    await expect.poll(() => listeners.size === 1).toBe(true);
    const wide = { ...aStatus(), name: 'x'.repeat(1_000_000) };
    for (let i = 0; i < 30; i++) for (const listener of listeners) listener(wide);
    await expect.poll(() => listeners.size === 0).toBe(true);
    expect(await ask(socket, 'GET', '/status')).toMatchObject({ status: 200 });
  });
});

function aStatus(): SupervisorStatus {
  return {
    protocol: 1,
    stack: 'a1b2c3',
    name: 'fixture',
    identity: { pid: process.pid, started: '0', boot: 'test' },
    startedAt: '2026-01-01T00:00:00Z',
    state: 'running',
    lostLogLines: 0,
    services: [],
  };
}

/** A control socket before a supervisor that has no services. */
async function open(more: Partial<Supervisor> = {}): Promise<{ readonly socket: string; readonly calls: string[] }> {
  const plan = aPlan(aDirectory(), []);
  const calls: string[] = [];
  const supervisor: Supervisor = {
    start: () => undefined,
    status: aStatus,
    subscribe: () => () => undefined,
    service: () => undefined,
    plan: () => plan,
    adopt: () => undefined,
    stop: () => Promise.resolve([]),
    ...more,
  };
  const logs = createLogs({ ...plan.logs, now: () => '2026-01-01T00:00:00Z' });
  const onStopped = (): void => void calls.push('stopped');
  const control = await openControl({
    socket: plan.socket,
    readPlan: () => Promise.resolve(plan),
    supervisor,
    logs,
    log: createSilentLog(),
    onStopped,
  });
  onTestFinished(async () => {
    await control.close();
    logs.close();
  });
  return { socket: plan.socket, calls };
}

function ask(socketPath: string, method: string, path: string): Promise<{ readonly status: number | undefined }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, method, path }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode }));
    });
    call.once('error', reject);
    call.end();
  });
}
