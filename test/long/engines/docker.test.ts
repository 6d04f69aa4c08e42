import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aCertificate } from '../../support/certificates.js';
import { dockerEngine, hasNoDocker, objectsOf } from '../../support/docker.js';
import { isGone, openEngine } from '../../../src/supervisor/engine.js';
import { freePortBase } from '../../support/port-base.js';
import { byCommand, createStackCli, type StackCli } from '../../e2e/fixtures/stack-cli.js';

const services = ['alice', 'bob', 'chain', 'store'];
const none = { containers: new Map(), networks: [] };

describe.skipIf(hasNoDocker)('a stack in containers (needs Docker)', () => {
  test('has a container for each service, and leaves nothing when it stops', async () => {
    const cli = await aStack('--runtime', 'docker');
    await cli.ok('start', 'dev', '-q', '--timeout', '3m');
    expect([...(await objectsOfStack(cli)).containers.keys()].sort()).toEqual(services);
    const pace = ['--rate', '10/s', '--duration', '5s', '--warmup', '1s'];
    const { out } = await cli.run(['bench', 'broadcast', ...pace, '--json']);
    // Only losses count here, not the speed of a busy machine.
    expect(JSON.parse(out)).toMatchObject({ count: 50, confirmed: 50, verdict: 'ok' });
    await cli.ok('stop', 'dev', '-q');
    expect(await objectsOfStack(cli)).toEqual(none);
  });

  test('serves its APIs over HTTPS, and presents a renewed certificate from the next start on', async () => {
    const cli = createStackCli('default');
    onTestFinished(() => cli.remove());
    const [cert, key] = [join(cli.directory, 'node.crt'), join(cli.directory, 'node.key')];
    const renew = async (): Promise<void> => {
      const made = await aCertificate({});
      await writeFile(key, made.key, { mode: 0o600 });
      await writeFile(cert, made.certificate);
    };
    await renew();
    const tls = ['--set', `tls.cert=file:${cert}`, '--set', `tls.key=file:${key}`];
    const base = await freePortBase();
    await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', base, '--runtime', 'docker', ...tls);
    for (const words of [
      ['start', 'dev'],
      ['restart', 'dev'],
    ]) {
      await cli.ok(...words, '-q', '--timeout', '3m');
      const url = (await cli.ok('open', '--print')).replace('/ui', '');
      expect(url).toMatch(/^https:/);
      await cli.ok('broadcast', '{"over":"tls"}', '--wait', 'all');
      expect(await cli.ok('messages', 'list', '--url', url, '--ca', cert, '-q')).not.toBe('');
      await renew();
    }
  });

  test('loses and duplicates nothing under load while a part is disconnected or killed, and names it', async () => {
    const cli = await aStack('--runtime', 'docker');
    await cli.ok('start', 'dev', '-q', '--timeout', '3m');
    const load = cli.begin([
      'broadcast',
      '{"n":1}',
      '--count',
      '60',
      '--rate',
      '4/s',
      '--keep-going',
      '--no-wait',
      '-q',
    ]);
    const heal = await cutOff(cli, 'bob');
    const id = await cli.ok('broadcast', '{"while":"cut"}', '--no-wait', '-q');
    await expect
      .poll(() => cli.ends('explain', id), byCommand)
      .toMatchObject({ said: expect.stringMatching(/bob.*away/) });
    await heal();
    for (const service of ['store', 'chain', 'bob']) {
      await cli.ok('wait', '--for', 'healthy', '--timeout', '1m');
      const before = await restartsOf(cli, service);
      await (await objectsOfStack(cli)).containers.get(service)?.kill();
      await expect.poll(() => restartsOf(cli, service), byCommand).not.toBe(before);
    }
    const { out } = await load.ended;
    await cli.ok('wait', '--for', 'idle', '--timeout', '1m');
    const accepted = [id, ...out.trim().split('\n')];
    for (const party of ['alice', 'bob']) {
      const listed = await cli.ok('messages', 'list', '-p', party, '--all', '--filter', 'state=confirmed', '-q');
      const ids = listed.split('\n');
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(accepted));
    }
  });

  test('is paused, saved, restored, extended and reset like one of processes', async () => {
    const cli = await aStack('-t', 'docker');
    await cli.ok('start', 'dev', '-q', '--timeout', '3m');
    await cli.ok('party', 'pause', 'bob');
    expect(await cli.okJson('status', 'dev')).toMatchObject({ services: serviceIn('bob', 'paused') });
    await cli.ok('party', 'resume', 'bob');
    await cli.ok('snapshot', 'save', 'one');
    await cli.ok('broadcast', '{"later":true}', '--wait', 'all');
    await cli.ok('snapshot', 'restore', 'one', '--yes');
    expect(await cli.ok('messages', 'list', '-q')).toBe('');
    await cli.ok('party', 'add', 'carol', '--timeout', '2m');
    await cli.ok('broadcast', '{"to":"all three"}', '--wait', 'all');
    await cli.ok('reset', 'dev', '--yes', '--timeout', '3m');
    expect(await cli.okJson('status', 'dev')).toMatchObject({ state: 'running', runtime: 'docker' });
  });

  test('leaves nothing when all of it was killed, also while it was paused', async () => {
    const cli = await aStack('--runtime', 'docker');
    await cli.ok('start', 'dev', '-q', '--timeout', '3m');
    await cli.ok('party', 'pause', 'bob');
    const state = await stateOf(cli);
    process.kill(state.identity.pid, 'SIGKILL');
    await expect.poll(async () => [...(await objectsOfStack(cli)).containers.keys()]).toEqual(['bob']);
    await cli.ok('remove', 'dev', '--yes');
    expect(await objectsOfStack(cli)).toEqual(none);
  });

  test('may have some services in containers next to processes', async () => {
    const cli = await aStack('--runtime', 'docker', '--set', 'docker.services=[store, bob]');
    await cli.ok('start', 'dev', '-q', '--timeout', '3m');
    const { containers, networks } = await objectsOfStack(cli);
    expect({ services: [...containers.keys()].sort(), networks }).toEqual({ services: ['bob', 'store'], networks: [] });
    await cli.ok('send', '{"to":"bob"}', '--to', 'bob', '--wait', 'all');
  });

  test('builds its image in one step, small enough, and finds it again', async () => {
    const cli = createStackCli('default');
    onTestFinished(() => cli.remove());
    for (const [words, maxBytes] of [
      [['image', 'build'], 190e6],
      [['image', 'build', '--no-chain'], 140e6],
    ] as const) {
      await cli.ok(...words);
      const again = (await cli.okJson(...words)) as { readonly sizeBytes: number; readonly created: boolean };
      expect(again.created).toBe(false);
      expect(again.sizeBytes).toBeLessThan(maxBytes);
    }
    expect((await cli.ok('image', 'list', '-q')).split('\n').length).toBeGreaterThanOrEqual(2);
  });
});

test('a stack in containers reports in one sentence that there is no engine', async () => {
  const cli = await aStack('--runtime', 'docker');
  const socket = join(cli.directory, 'no.sock');
  for (const words of [
    ['start', 'dev'],
    ['config', 'validate', '--online', '-s', 'dev'],
    ['image', 'build'],
  ]) {
    const ended = await cli.run(words, { environment: { DOCKER_HOST: `unix://${socket}` } });
    expect(ended).toMatchObject({
      code: 9,
      err: expect.stringContaining(`no container engine answers at unix://${socket}`),
    });
  }
});

test.each([
  [['docker.services=[store]'], 'add runtime: docker'],
  [['runtime=docker', 'docker.services=[nobody]'], 'there is no service nobody'],
  [['runtime=docker', 'ports.base=os'], 'impossible with containers'],
  [['runtime=docker', 'bind="::1"'], 'use IPv4'],
  [['runtime=docker', 'chain.provider=anvil'], 'cannot run in a container'],
  [
    ['runtime=docker', 'chain.provider=url', 'chain.url=http://127.0.0.1:8545'],
    'name an address that containers reach',
  ],
])('settings of containers that say nothing are refused: %j', async (sets, sentence) => {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  const ended = await cli.ends('init', 'dev', ...sets.flatMap((set) => ['--set', set]));
  expect(ended).toMatchObject({ code: 2, said: expect.stringContaining(sentence) });
});

async function aStack(...words: readonly string[]): Promise<StackCli> {
  const cli = createStackCli('default');
  onTestFinished(() => cli.remove());
  await cli.ok('init', 'dev', '-n', '2', '-q', '--port-base', await freePortBase(), ...words);
  return cli;
}

/** Disconnects a service from the network of its stack; returns a function that reconnects it, unless replaced. */
async function cutOff(cli: StackCli, service: string): Promise<() => Promise<void>> {
  const { containers, networks } = await objectsOfStack(cli);
  const network = openEngine((await dockerEngine()).address).getNetwork(networks[0] ?? '');
  const id = containers.get(service)?.id ?? '';
  await network.disconnect({ Container: id, Force: true });
  return async () => {
    const again = { Container: id, EndpointConfig: { Aliases: [service] } };
    await network.connect(again).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  };
}

function serviceIn(name: string, state: string): unknown {
  return expect.arrayContaining([expect.objectContaining({ name, state })]);
}

async function restartsOf(cli: StackCli, service: string): Promise<number | undefined> {
  const { services: rows } = (await cli.okJson('status', 'dev')) as {
    readonly services: readonly { readonly name: string; readonly state: string; readonly restarts: number }[];
  };
  return rows.find(({ name, state }) => name === service && state === 'healthy')?.restarts;
}

interface State {
  readonly identity: { readonly pid: number };
}

async function stateOf(cli: StackCli): Promise<State> {
  return JSON.parse(await readFile(join(directoryOf(cli), 'run', 'state.json'), 'utf8')) as State;
}

/** Returns the directory of the stack in the home of the command line. */
function directoryOf({ environment }: StackCli): string {
  return join(environment['STACK_HOME'] ?? '', 'stacks', 'dev');
}

async function objectsOfStack(cli: StackCli) {
  const id = createHash('sha256').update(directoryOf(cli)).digest('hex').slice(0, 12);
  return objectsOf(await dockerEngine(), id);
}
