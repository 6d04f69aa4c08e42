import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Identity, identify, isAlive, waitUntilGone } from '../../../src/supervisor/machine/identity.js';
import type { Plan } from '../../../src/supervisor/plan.js';
import { SupervisorStatus } from '../../../src/supervisor/control/view.js';
import { readShape } from '../../../src/supervisor/files/json-file.js';
import { hostileRequests, sendHostile, unharmed } from '../../support/hostile-requests.js';
import { freePort } from '../../support/port-base.js';
import { aDirectory, aPlan, aService } from '../../unit/supervisor/fixtures/plans.js';

/** Longer than any process takes to end; one that has not ended by then never will. */
const maxEndMs = 60_000;
const program = fileURLToPath(new URL('../../../bin/supervisor.js', import.meta.url));

describe('The supervisor as a process', () => {
  test('answers on a socket that only its owner can use', async () => {
    const { plan } = await running();
    expect(statSync(plan.socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(plan.socket)).mode & 0o777).toBe(0o700);
    const health = await ask(plan, 'GET', '/health');
    expect(JSON.parse(health.text)).toMatchObject({ protocol: 1, stack: plan.stack, name: plan.name });
    expect((await ask(plan, 'GET', '/nothing')).status).toBe(404);
    expect((await ask(plan, 'POST', '/services/nobody/start')).status).toBe(404);
  });

  test('continues with all its services after every malformed request', async () => {
    const { plan, supervisor } = await running();
    const before = await identitiesOf(plan);
    expect(await sendHostile(hostileRequests('supervisor'), { path: plan.socket })).toEqual(unharmed);
    expect(await identitiesOf(plan)).toEqual(before);
    expect(supervisor.exitCode).toBeNull();
  });

  test('stops its services, then itself, and removes the socket', async () => {
    const { plan, supervisor } = await running();
    const identities = await identitiesOf(plan);
    const ended = once(supervisor, 'exit');
    expect(JSON.parse((await ask(plan, 'POST', '/stop')).text)).toEqual({ protocol: 1, forced: [] });
    expect(await ended).toEqual([0, null]);
    for (const identity of identities) expect(await isAlive(identity)).toBe(false);
    expect(() => statSync(plan.socket)).toThrow('ENOENT');
  });

  test('ends without a trace if its starter gives up before it may begin', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, []);
    const supervisor = fork(join(directory, 'plan.json'));
    supervisor.disconnect();
    expect(await once(supervisor, 'exit')).toEqual([0, null]);
    expect(() => statSync(plan.socket)).toThrow('ENOENT');
  });

  test('stops in order on SIGTERM too', async () => {
    const { plan, supervisor, directory } = await running();
    const ended = once(supervisor, 'exit');
    supervisor.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(readFileSync(join(directory, 'diary'), 'utf8').trim().split('\n').slice(2)).toEqual([
      'node stopped',
      'chain stopped',
    ]);
    expect(plan.services).toHaveLength(2);
  });

  test('ends its children when it is killed, and the next supervisor starts over', async () => {
    const { plan, supervisor, planFile } = await running();
    const identities = await identitiesOf(plan);
    expect(identities).toHaveLength(2);
    supervisor.kill('SIGKILL');
    for (const identity of identities) expect(await waitUntilGone(identity, maxEndMs)).toBe(true);
    await start(planFile);
    await untilHealthy(plan);
  });

  test('leaves no paused child when it is killed: each is resumed and ends', async () => {
    const { plan, supervisor } = await running();
    const identities = await identitiesOf(plan);
    expect(JSON.parse((await ask(plan, 'POST', '/services/chain/pause')).text)).toMatchObject({
      service: { state: 'paused' },
    });
    expect((await ask(plan, 'POST', '/services/node/resume')).status).toBe(409);
    supervisor.kill('SIGKILL');
    for (const identity of identities) expect(await waitUntilGone(identity, maxEndMs)).toBe(true);
  });

  test('ends orphans that do not end by themselves before it starts anything', async () => {
    const { plan, supervisor, planFile } = await running({ stubborn: true });
    const [chain] = await identitiesOf(plan);
    if (chain === undefined) throw new Error('There is no chain.');
    process.kill(chain.pid, 'SIGSTOP');
    supervisor.kill('SIGKILL');
    await start(planFile);
    await untilHealthy(plan);
    expect(await isAlive(chain)).toBe(false);
  });

  test.each(['supervisor.after-state', 'supervisor.after-spawn'])(
    'leaves nothing behind that the next one does not settle when it dies at %s',
    async (point) => {
      // Two of them cannot listen on the same port.
      const { plan, planFile } = aPlanFile({ port: await freePort(), lingerMs: 1_000 });
      const dying = spawn(process.execPath, [program, planFile], {
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, PARLEY_FAILPOINT: `${point}:1:kill` },
      });
      expect(await once(dying, 'exit')).toEqual([null, 'SIGKILL']);
      await start(planFile);
      await untilHealthy(plan);
      expect((await status(plan)).services.map(({ restarts }) => restarts)).toEqual([0, 0]);
    },
  );

  test('is one per stack', async () => {
    const { planFile } = await running();
    const second = fork(planFile);
    second.send({ type: 'begin' });
    const [message] = await once(second, 'message');
    expect(message).toMatchObject({ type: 'failed' });
  });

  test('starts a child again when something else kills it', async () => {
    const { plan } = await running();
    const [chain] = await identitiesOf(plan);
    process.kill(chain?.pid ?? 0, 'SIGKILL');
    await expect.poll(async () => (await status(plan)).services[0]?.restarts).toBe(1);
    await untilHealthy(plan);
  });

  test('starts, stops and restarts one service on request', async () => {
    const { plan } = await running();
    const stateOf = async (): Promise<string | undefined> => (await status(plan)).services[1]?.state;
    await ask(plan, 'POST', '/services/node/stop');
    expect(await stateOf()).toBe('stopped');
    await ask(plan, 'POST', '/services/node/start');
    await untilHealthy(plan);
    const before = (await status(plan)).services[1]?.pid;
    await ask(plan, 'POST', '/services/node/restart');
    await untilHealthy(plan);
    expect((await status(plan)).services[1]?.pid).not.toBe(before);
  });
});

test('A service that does not end on request is killed after its stop timeout', async () => {
  const { plan } = await running({ stubborn: true });
  const { text } = await ask(plan, 'POST', '/services/chain/stop?graceMs=1');
  expect(JSON.parse(text)).toMatchObject({ forced: true, service: { name: 'chain', state: 'stopped', pid: null } });
});

async function running(behaviour: Readonly<Record<string, unknown>> = {}) {
  const files = aPlanFile(behaviour);
  const supervisor = await start(files.planFile);
  await untilHealthy(files.plan);
  return { ...files, supervisor };
}

function aPlanFile(behaviour: Readonly<Record<string, unknown>>) {
  const directory = aDirectory();
  const plan = aPlan(directory, [
    aService(directory, 'chain', { kind: 'chain' }, behaviour),
    aService(directory, 'node', { kind: 'node', after: [{ name: 'chain', condition: 'healthy' }] }),
  ]);
  const planFile = join(directory, 'plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  return { directory, plan, planFile };
}

/** Starts its process, which waits for its plan. */
function fork(planFile: string): ChildProcess {
  return spawn(process.execPath, [program, planFile], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

async function start(planFile: string): Promise<ChildProcess> {
  const supervisor = fork(planFile);
  const identity = await identify(supervisor.pid ?? 0);
  onTestFinished(async () => {
    supervisor.kill('SIGTERM');
    if (identity === undefined || (await waitUntilGone(identity, 8_000))) return;
    supervisor.kill('SIGKILL');
    await waitUntilGone(identity, 2_000);
  });
  supervisor.send({ type: 'begin' });
  const [message] = await once(supervisor, 'message');
  expect(message).toMatchObject({ type: 'ready' });
  return supervisor;
}

async function untilHealthy(plan: Plan): Promise<void> {
  const states = async (): Promise<string[]> => (await status(plan)).services.map((view) => view.state);
  await expect.poll(states).toEqual(plan.services.map(() => 'healthy'));
}

async function identitiesOf(plan: Plan): Promise<Identity[]> {
  return (await status(plan)).services.flatMap(({ identity }) => (identity === null ? [] : [identity]));
}

async function status(plan: Plan): Promise<SupervisorStatus> {
  return readShape(SupervisorStatus, (await ask(plan, 'GET', '/status')).text, 'The status');
}

function ask(plan: Plan, method: string, path: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: plan.socket, method, path }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        resolve({ status: response.statusCode, text });
      });
    });
    call.once('error', reject);
    call.end();
  });
}
