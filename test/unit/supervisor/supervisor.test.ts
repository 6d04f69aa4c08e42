import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../../../src/supervisor/machine/identity.js';
import { readJsonFile } from '../../../src/supervisor/files/json-file.js';
import { readTail } from '../../../src/supervisor/files/logs.js';
import { SupervisorStatus } from '../../../src/supervisor/control/view.js';
import { aDirectory, aPlan, aService, aTask, fixture } from './fixtures/plans.js';
import { diary, run, until, view, wait } from './fixtures/running.js';

describe('A supervisor', () => {
  test('starts a service only when its conditions hold', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [
      aService(directory, 'node', { after: [{ name: 'deploy', condition: 'completed' }] }),
      aTask(directory, 'deploy', { after: [{ name: 'chain', condition: 'healthy' }] }),
      aService(directory, 'chain'),
    ]);
    const supervisor = run(plan);
    await until(supervisor, 'node', 'healthy');
    expect(diary(directory)).toEqual(['chain started', 'deploy ran', 'node started']);
  });

  test('stops dependents first and leaves no process', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [
      aService(directory, 'chain', { kind: 'chain' }),
      aService(directory, 'store', { kind: 'store' }),
      aService(directory, 'node', { kind: 'node', after: [{ name: 'chain', condition: 'started' }] }),
    ]);
    const supervisor = run(plan);
    for (const name of ['chain', 'store', 'node']) await until(supervisor, name, 'healthy');
    const identities = supervisor.status().services.map((view) => view.identity);
    expect(await supervisor.stop()).toEqual([]);
    expect(diary(directory).slice(3)).toEqual(['node stopped', 'store stopped', 'chain stopped']);
    for (const identity of identities) expect(identity !== null && (await isAlive(identity))).toBe(false);
  });

  test('starts nothing once it stops', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [
      aService(directory, 'chain'),
      aService(directory, 'node', { after: [{ name: 'chain', condition: 'started' }] }),
    ]);
    const supervisor = run(plan);
    for (const name of ['chain', 'node']) await until(supervisor, name, 'healthy');
    const stopped = supervisor.stop();
    await until(supervisor, 'node', 'stopped');
    supervisor.service('node')?.start();
    await stopped;
    expect(view(supervisor, 'node')).toMatchObject({ state: 'stopped', pid: null });
  });

  test('restarts a healthy service each time it is killed, on the same port', async () => {
    const directory = aDirectory();
    const spec = aService(directory, 'chain', {}, { port: '${chain.port}' });
    const supervisor = run(aPlan(directory, [{ ...spec, restart: { ...spec.restart, max: 1 } }]));
    const { port } = await until(supervisor, 'chain', 'healthy');
    for (let kill = 1; kill <= 4; kill++) {
      const { url } = view(supervisor, 'chain');
      await fetch(`${url}/crash`).catch(() => undefined);
      await wait(supervisor, () => view(supervisor, 'chain').restarts === kill);
      await until(supervisor, 'chain', 'healthy');
    }
    expect(view(supervisor, 'chain').port).toBe(port);
  });

  test('replaces a running service that does not answer', async () => {
    const directory = aDirectory();
    const health = { path: '/livez', intervalMs: 50, timeoutMs: 200, maxMisses: 3 };
    const supervisor = run(aPlan(directory, [aService(directory, 'chain', { health })]));
    const { url } = await until(supervisor, 'chain', 'healthy');
    await fetch(`${url}/silent`);
    await until(supervisor, 'chain', 'unhealthy');
    await wait(supervisor, () => view(supervisor, 'chain').restarts === 1);
    await until(supervisor, 'chain', 'healthy');
  });

  test('does not replace a service that computes and then answers', async () => {
    const directory = aDirectory();
    const health = { path: '/livez', intervalMs: 50, timeoutMs: 100, maxMisses: 5 };
    const supervisor = run(aPlan(directory, [aService(directory, 'chain', { health })]));
    const { url } = await until(supervisor, 'chain', 'healthy');
    await fetch(`${url}/busy`);
    await until(supervisor, 'chain', 'unhealthy');
    await until(supervisor, 'chain', 'healthy');
    expect(view(supervisor, 'chain').restarts).toBe(0);
  });

  test('gives up a program that never becomes healthy, after the allowed restarts', async () => {
    const directory = aDirectory();
    const supervisor = run(aPlan(directory, [aService(directory, 'chain', {}, { exit: 3 })]));
    const failed = await until(supervisor, 'chain', 'failed');
    expect([failed.restarts, failed.message]).toEqual([2, 'It ended with code 3.']);
  });

  test('gives up at once when the program reports that it cannot start, and starts it again on request', async () => {
    const directory = aDirectory();
    const supervisor = run(aPlan(directory, [aService(directory, 'chain', {}, { refuse: 'The journal is damaged.' })]));
    const failed = await until(supervisor, 'chain', 'failed');
    expect([failed.restarts, failed.message]).toEqual([0, 'The journal is damaged.']);
    supervisor.service('chain')?.start();
    await wait(supervisor, () => diary(directory).length === 2);
    await until(supervisor, 'chain', 'failed');
  });

  test('restarts a permanently ended service only on request, however long it has worked', async () => {
    const directory = aDirectory();
    const supervisor = run(aPlan(directory, [aService(directory, 'node')]));
    const { url } = await until(supervisor, 'node', 'healthy');
    await fetch(`${url}/end`).catch(() => undefined);
    const failed = await until(supervisor, 'node', 'failed');
    expect(failed).toMatchObject({ restarts: 0, message: 'This is another chain.', isFinal: true });
    supervisor.service('node')?.start();
    expect(await until(supervisor, 'node', 'healthy')).toMatchObject({ isFinal: false });
  });

  test('gives up a service that is not ready in time', async () => {
    const directory = aDirectory();
    const silent = aService(directory, 'chain', { program: fixture('task'), readyTimeoutMs: 50 }, { hang: true });
    const supervisor = run(aPlan(directory, [{ ...silent, restart: { ...silent.restart, max: 0 } }]));
    expect((await until(supervisor, 'chain', 'failed')).message).toBe(
      'It was not ready within 50 ms of its start or its last progress.',
    );
  });

  test('pauses a service until it is resumed, and stops a paused one in order', async () => {
    const directory = aDirectory();
    const health = { path: '/livez', intervalMs: 20, timeoutMs: 100, maxMisses: 1 };
    const supervisor = run(aPlan(directory, [aService(directory, 'chain', { health })]));
    const chain = supervisor.service('chain');
    expect(await chain?.pause()).toBe(false);
    const { url, pid } = await until(supervisor, 'chain', 'healthy');
    expect([await chain?.pause(), view(supervisor, 'chain').state]).toEqual([true, 'paused']);
    const answer = fetch(`${url}/livez`, { signal: AbortSignal.timeout(health.timeoutMs * 5) });
    await expect(answer).rejects.toThrow(/timeout/);
    expect(view(supervisor, 'chain')).toMatchObject({ state: 'paused', pid, restarts: 0 });
    expect([chain?.resume(), chain?.resume(), view(supervisor, 'chain').state]).toEqual([true, false, 'healthy']);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    await chain?.pause();
    expect(await supervisor.stop()).toEqual([]);
    expect(diary(directory)).toEqual(['chain started', 'chain stopped']);
  });

  test('restarts a paused service that has died, and resumes one that is started', async () => {
    const directory = aDirectory();
    const supervisor = run(aPlan(directory, [aService(directory, 'chain')]));
    const { pid } = await until(supervisor, 'chain', 'healthy');
    await supervisor.service('chain')?.pause();
    process.kill(pid ?? 0, 'SIGKILL');
    await wait(supervisor, () => view(supervisor, 'chain').restarts === 1);
    await until(supervisor, 'chain', 'healthy');
    await supervisor.service('chain')?.pause();
    supervisor.service('chain')?.start();
    expect(view(supervisor, 'chain')).toMatchObject({ state: 'healthy', restarts: 1 });
  });

  test('kills and reports a service that does not stop within its grace period', async () => {
    const directory = aDirectory();
    const supervisor = run(aPlan(directory, [aService(directory, 'chain', { stopGraceMs: 50 }, { stubborn: true })]));
    await until(supervisor, 'chain', 'healthy');
    expect(await supervisor.stop()).toEqual(['chain']);
  });

  test('keeps the result of a task, and runs an optional one only on request', async () => {
    const directory = aDirectory();
    const supervisor = run(
      aPlan(directory, [
        aTask(directory, 'deploy', {}, { result: { address: '0x1' } }),
        aTask(directory, 'smoke', { onRequest: true }),
      ]),
    );
    expect((await until(supervisor, 'deploy', 'completed')).result).toEqual({ address: '0x1' });
    expect(view(supervisor, 'smoke').state).toBe('pending');
    supervisor.service('smoke')?.start();
    await until(supervisor, 'smoke', 'completed');
  });

  test('retries a failed task, then gives it up', async () => {
    const directory = aDirectory();
    const supervisor = run(aPlan(directory, [aTask(directory, 'deploy', {}, { exit: 1 })]));
    await until(supervisor, 'deploy', 'failed');
    expect(diary(directory)).toHaveLength(3);
  });

  test('ends a task that takes too long', async () => {
    const directory = aDirectory();
    const slow = aTask(directory, 'deploy', { timeoutMs: 50, restart: { ...noRestart } }, { hang: true });
    const supervisor = run(aPlan(directory, [slow]));
    expect((await until(supervisor, 'deploy', 'failed')).message).toBe('It did not end within 50 ms.');
  });

  test('passes the port that the system chose to services that start later', async () => {
    const directory = aDirectory();
    const node = aService(directory, 'node', { after: [{ name: 'chain', condition: 'healthy' }] });
    const value = { name: 'node', chain: 'http://127.0.0.1:${chain.port}' };
    const supervisor = run(
      aPlan(directory, [aService(directory, 'chain'), { ...node, config: { ...node.config, value } }]),
    );
    await until(supervisor, 'node', 'healthy');
    const written: unknown = JSON.parse(readFileSync(node.config.file, 'utf8'));
    expect(written).toEqual({ name: 'node', chain: `http://127.0.0.1:${view(supervisor, 'chain').port}` });
  });

  test('writes its services into the state file', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [aService(directory, 'chain')]);
    const supervisor = run(plan);
    const { identity } = await until(supervisor, 'chain', 'healthy');
    await supervisor.subscribed(async () => {
      const state = await readJsonFile(plan.stateFile, SupervisorStatus);
      return state?.services[0]?.identity?.pid === identity?.pid;
    });
    await supervisor.stop();
    const state = await readJsonFile(plan.stateFile, SupervisorStatus);
    expect(state?.services.map((service) => [service.state, service.identity])).toEqual([['stopped', null]]);
  });

  test('writes any output of its services as records', async () => {
    const directory = aDirectory();
    const behaviour = { print: ['{"level":"info","msg":"fine"}'], complain: 'a stack trace' };
    const plan = aPlan(directory, [aService(directory, 'chain', {}, behaviour)]);
    const supervisor = run(plan);
    await until(supervisor, 'chain', 'healthy');
    await supervisor.stop();
    const records = readTail(plan.logs.directory, 'chain', 10).map((line): unknown => JSON.parse(line));
    expect(records).toHaveLength(2);
    expect(records).toContainEqual({ level: 'info', msg: 'fine' });
    expect(records).toContainEqual(expect.objectContaining({ level: 'error', msg: 'a stack trace' }));
  });

  test('does not pass on its environment', async () => {
    const directory = aDirectory();
    const plan = aPlan(directory, [aTask(directory, 'deploy', { program: fixture('environment') })]);
    const supervisor = run(plan, { GREETING: 'hello' });
    expect((await until(supervisor, 'deploy', 'completed')).result).toMatchObject({ names: ['GREETING'] });
  });

  test.each([
    ['chain', ['GREETING']],
    ['node', ['GREETING', 'NODE_EXTRA_CA_CERTS']],
  ])('passes authorities of servers to programs that call those: %s', async (kind, names) => {
    const directory = aDirectory();
    const plan = aPlan(directory, [aTask(directory, 'one', { kind, program: fixture('environment') })]);
    const supervisor = run(plan, { GREETING: 'hello', NODE_EXTRA_CA_CERTS: '/dev/null' });
    expect((await until(supervisor, 'one', 'completed')).result).toMatchObject({ names });
  });
});

const noRestart = { max: 0, windowMs: 60_000, firstDelayMs: 5, maxDelayMs: 20 };
