import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { openControl } from '../../../../src/supervisor/control/control.js';
import { identify, type Identity } from '../../../../src/supervisor/machine/identity.js';
import { createLease, type Lease } from '../../../../src/supervisor/control/lease.js';
import { createLogs } from '../../../../src/supervisor/files/logs.js';
import { aDirectory, aPlan } from '../fixtures/plans.js';

/** A process that lives until it is killed. */
async function aProcess(): Promise<{ readonly identity: Identity; readonly kill: () => void }> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  const identity = await identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('the process ended by itself');
  return { identity, kill: () => void child.kill('SIGKILL') };
}

interface Leased {
  readonly socket: string;
  readonly lease: Lease;
  readonly lost: () => boolean;
}

async function open(owner: Identity): Promise<Leased> {
  const plan = aPlan(aDirectory(), []);
  let lost = false;
  const lease = createLease({ owner, onLost: () => (lost = true), pollMs: 5 });
  const logs = createLogs({ ...plan.logs, now: () => '2026-01-01T00:00:00Z' });
  const identity = { pid: process.pid, started: '0', boot: 'test' };
  const control = await openControl({
    socket: plan.socket,
    readPlan: () => Promise.resolve(plan),
    logs,
    lease,
    log: createSilentLog(),
    onStopped: () => undefined,
    supervisor: {
      start: () => undefined,
      status: () => ({
        protocol: 1,
        stack: 'a',
        name: 'a',
        identity,
        startedAt: '2026-01-01T00:00:00Z',
        state: 'running',
        lostLogLines: 0,
        services: [],
      }),
      subscribe: () => () => undefined,
      service: () => undefined,
      plan: () => plan,
      adopt: () => undefined,
      stop: () => Promise.resolve([]),
    },
  });
  onTestFinished(async () => {
    await lease.close();
    await control.close();
    logs.close();
  });
  return { socket: plan.socket, lease, lost: () => lost };
}

/** Sends a POST and resolves with its status; `leave` closes the connection. */
async function post(socketPath: string, path: string): Promise<{ readonly status?: number; leave(): void }> {
  const call = request({ socketPath, method: 'POST', path, agent: false }).on('error', () => undefined);
  const answered = new Promise<{ readonly status?: number; leave(): void }>((resolve) => {
    call.once('response', (response) => {
      response.on('error', () => undefined).resume();
      const { statusCode } = response;
      resolve({ ...(statusCode !== undefined && { status: statusCode }), leave: () => void response.destroy() });
    });
  });
  call.end();
  return answered;
}

test('A lease is lost when its connection closes, and one process has it at a time', async () => {
  const owner = await aProcess();
  const { socket, lost } = await open(owner.identity);
  const held = await post(socket, '/lease');
  expect(held.status).toBe(200);
  expect((await post(socket, '/lease')).status).toBe(409);
  expect(lost()).toBe(false);
  held.leave();
  await expect.poll(lost).toBe(true);
});

test('A lease that was never taken is lost when its owner dies', async () => {
  const owner = await aProcess();
  const { lost } = await open(owner.identity);
  owner.kill();
  await expect.poll(lost).toBe(true);
});

test('A lost lease ends its job', async () => {
  const [owner, job] = [await aProcess(), await aProcess()];
  const { socket, lost, lease } = await open(owner.identity);
  const held = await post(socket, '/lease');
  expect((await post(socket, `/lease/job?pid=${job.identity.pid}`)).status).toBe(200);
  held.leave();
  await expect.poll(lost).toBe(true);
  await lease.close();
  expect(await identify(job.identity.pid)).toBeUndefined();
});

test('A stack that is kept outlives its owner', async () => {
  const owner = await aProcess();
  const { socket, lease } = await open(owner.identity);
  const held = await post(socket, '/lease');
  expect((await post(socket, '/lease/keep')).status).toBe(200);
  held.leave();
  // The server has closed the connection when it answers another one that came later.
  expect((await post(socket, '/lease/job?pid=x')).status).toBe(404);
  expect(lease.isLost()).toBe(false);
});
