import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { identify, type Identity, isAlive } from '../../../src/supervisor/machine/identity.js';
import { freePortBase } from '../../support/port-base.js';
import { type Cli, createCli, programFile, type Running } from '../../e2e/fixtures/cli.js';
import { byCommand } from '../../e2e/fixtures/stack-cli.js';

/** Prints the state of the network as one line, so that its processes are known after it is removed. */
const showState = `tr -d '\\n' < "$STACK_HOME/ephemeral/$STACK_NAME/run/state.json"; echo`;
const stack = `'${process.execPath}' '${programFile}'`;
const run = 'run -t minimal --no-smoke';

let cli: Cli;

beforeEach(() => {
  cli = createCli();
});
afterEach(async () => {
  await cli.run(['remove', '--all', '--yes', '--force']);
  await cli.remove();
});

/** Returns the supervisor and services of a printed state. */
function identitiesIn(text: string): readonly Identity[] {
  const line = text.split('\n').find((each) => each.startsWith('{')) ?? '{}';
  const { identity, services } = JSON.parse(line) as {
    readonly identity: Identity;
    readonly services: readonly { readonly identity: Identity | null }[];
  };
  return [identity, ...services.flatMap((service) => service.identity ?? [])];
}

async function livingOf(identities: readonly Identity[]): Promise<number> {
  return (await Promise.all(identities.map(isAlive))).filter(Boolean).length;
}

/** Returns the directories of networks and sockets that still exist. */
async function remains(): Promise<readonly string[]> {
  const ephemeral = await readdir(join(cli.directory, 'home', 'ephemeral')).catch(() => []);
  const sockets = await readdir(join(cli.directory, 'parley')).catch(() => []);
  return [...ephemeral, ...sockets];
}

/** Resolves with the output of a running command, when it has printed a line with this beginning. */
async function printed(running: Running, begin: string): Promise<string> {
  let text = '';
  running.child.stdout?.on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text.split('\n').some((line) => line.startsWith(begin))).toBe(true);
  return text;
}

async function expectNothingLeft(identities: readonly Identity[]): Promise<void> {
  expect(identities.length).toBeGreaterThanOrEqual(5);
  await expect.poll(() => livingOf(identities)).toBe(0);
  await expect.poll(remains).toEqual([]);
}

describe('stack run', () => {
  test("gives a command its own network, exits with the command's exit code and leaves nothing", async () => {
    const job = `${showState}; ${stack} broadcast 1 --wait all -q && cat && exit 7`;
    const { code, out, err } = await cli.shell(`echo from stdin | stack ${run} -- sh -c "$JOB"`, {
      environment: { JOB: job, STACK_URL: 'http://127.0.0.1:1' },
    }).ended;
    expect({ code, err }).toMatchObject({ code: 7 });
    expect(out).toMatch(/^[0-9a-f-]{36}$/m);
    expect(out).toContain('from stdin');
    await expectNothingLeft(identitiesIn(out));
  });

  test('leaves nothing when it is killed, including its command', async () => {
    const running = cli.shell(`exec ${stack} ${run} -- sh -c "$JOB"`, {
      environment: { JOB: `${showState}; echo pid $$; while :; do sleep 1; done` },
    });
    const out = await printed(running, 'pid ');
    running.child.kill('SIGKILL');
    await expectNothingLeft(identitiesIn(out));
    const job = Number(/^pid (\d+)$/m.exec(out)?.[1]);
    await expect.poll(() => identify(job)).toBeUndefined();
  });

  test('leaves nothing after the next command if its supervisor was killed with it', async () => {
    const running = cli.shell(`exec ${stack} ${run} -- sh -c "$JOB"`, {
      environment: { JOB: `${showState}; while kill -0 $PPID; do sleep 0.1; done` },
    });
    const identities = identitiesIn(await printed(running, '{'));
    const [supervisor] = identities;
    process.kill(supervisor?.pid ?? 0, 'SIGKILL');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await remains()).not.toEqual([]);
    expect(await cli.run(['list'])).toMatchObject({ code: 0 });
    await expectNothingLeft(identities);
  });

  test('passes a signal on, and exits cleanly', async () => {
    const running = cli.shell(`exec ${stack} ${run} -- sh -c "$JOB"`, {
      environment: { JOB: `${showState}; trap 'echo asked; exit 3' TERM; echo ready; while :; do sleep 0.1; done` },
    });
    const identities = identitiesIn(await printed(running, 'ready'));
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 3, out: expect.stringContaining('asked') as string });
    await expectNothingLeft(identities);
  });

  test('removes what there is when it is interrupted while its network starts', async () => {
    const running = cli.shell(`exec ${stack} run -t minimal --progress plain -- true`);
    await expect.poll(running.err).toContain('is healthy');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
    expect(await remains()).toEqual([]);
  });

  test('reports last that the network did not start, with the exit code of start, and keeps its logs', async () => {
    const words = ['--set', 'limits.minFreeDisk=1099511627776', '--dump', 'evidence'];
    const { code, err } = await cli.run(['run', '-t', 'minimal', ...words, '--', 'true']);
    expect(code).toBe(8);
    expect(err.trimEnd().split('\n').at(-1)).toBe('stack run: the network did not start');
    const [dump = ''] = await readdir(join(cli.directory, 'evidence'));
    expect(await readFile(join(cli.directory, 'evidence', dump, 'stack.yaml'), 'utf8')).toContain('minFreeDisk');
    expect(await remains()).toEqual([]);
  });

  test('keeps a network whose command has failed if asked to', async () => {
    const job = `${stack} exec -- sh -c 'echo $STACK_NAME'; exit 1`;
    const words = ['--no-smoke', '--keep-on-failure', '--', 'sh', '-c', job];
    const { code, out } = await cli.run(['run', '-t', 'minimal', ...words]);
    expect(code).toBe(1);
    const name = out.trim();
    const { out: listed } = await cli.run(['list', '--json']);
    expect(JSON.parse(listed)).toMatchObject({ stacks: [{ name, state: 'running' }] });
    expect(await cli.run(['remove', name, '--yes'])).toMatchObject({ code: 0 });
    expect(await remains()).toEqual([]);
  });

  test('refuses an unknown command before it creates a network', async () => {
    const { code, err } = await cli.run(['run', '--', 'no-such-command']);
    expect({ code, err }).toMatchObject({ code: 127, err: expect.stringContaining('no-such-command') as string });
    expect(await cli.run(['run', '-t', 'ci', 'npm', 'test', '--watch'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('stack run -t ci -- npm test --watch') as string,
    });
  });
});

describe('stack stop', () => {
  test('reports what it has killed if the supervisor does not answer', async () => {
    await cli.run(['init', 'mute', '-t', 'minimal', '--port-base', await freePortBase(), '-q']);
    await cli.run(['start', 'mute', '--no-smoke', '-q']);
    const state = await readFile(join(cli.directory, 'home', 'stacks', 'mute', 'run', 'state.json'), 'utf8');
    const identities = identitiesIn(state.replaceAll('\n', ''));
    process.kill(identities[0]?.pid ?? 0, 'SIGSTOP');
    const { out, err } = await cli.run(['stop', 'mute', '--json']);
    expect(err).toContain(`pid ${identities[0]?.pid}`);
    const all = ['chain', 'store', 'alice', 'bob'];
    const { stopped, alreadyStopped, forced } = JSON.parse(out) as Readonly<Record<string, readonly string[]>>;
    expect({ stopped: stopped?.length, alreadyStopped, forced }).toEqual({
      stopped: 1,
      alreadyStopped: [],
      forced: all,
    });
    expect(await livingOf(identities)).toBe(0);
  });
});

describe('stack start', () => {
  test('in the foreground fails if its supervisor is killed', async () => {
    const base = await freePortBase();
    await cli.run(['init', 'gone', '-t', 'minimal', '--port-base', base, '-q']);
    const running = cli.shell(`exec ${stack} start gone -F --no-smoke --progress none`);
    await expect.poll(async () => (await cli.run(['status', 'gone', '--check'])).code, byCommand).toBe(0);
    const state = await readFile(join(cli.directory, 'home', 'stacks', 'gone', 'run', 'state.json'), 'utf8');
    const [supervisor] = identitiesIn(state.replaceAll('\n', ''));
    process.kill(supervisor?.pid ?? 0, 'SIGKILL');
    const err = expect.stringContaining('ended unexpectedly') as string;
    expect(await running.ended).toMatchObject({ code: 8, err });
  });

  test('in the foreground lets a user run one party, in a debugger, and stops on Ctrl-C', async () => {
    const base = await freePortBase();
    await cli.run(['init', 'dev', '-t', 'minimal', '--port-base', base, '-q']);
    const running = cli.shell(`exec ${stack} start dev -F --external bob --progress none`);
    await expect.poll(running.err).toContain('node --inspect');
    const [, words = ''] = /node --inspect (.*)/.exec(running.err()) ?? [];
    const bob = spawn('/bin/sh', ['-c', `exec '${process.execPath}' --inspect=127.0.0.1:0 ${words}`], {
      stdio: 'ignore',
    });
    try {
      const sent = await cli.run(['broadcast', '1', '--wait', 'all', '--timeout', '2m', '-q']);
      expect(sent).toMatchObject({ code: 0 });
      const { out } = await cli.run(['status', '--json']);
      expect(JSON.parse(out)).toMatchObject({
        state: 'running',
        services: [
          {},
          {},
          { name: 'alice', external: false },
          { name: 'bob', external: true, state: 'healthy', pid: null },
        ],
      });
      expect(await cli.run(['start', '--external', 'alice'])).toMatchObject({ code: 2 });
      running.child.kill('SIGINT');
      expect(await running.ended).toMatchObject({ code: 130 });
      expect((await cli.run(['list'])).out).toContain('dev\tstopped');
      await cli.run(['config', 'set', 'parties=[alice, {name: bob, external: true}]']);
      const again = await cli.run(['start', '--no-wait']);
      expect(again).toMatchObject({ code: 0, err: expect.stringContaining('node --inspect') as string });
      expect(await cli.run(['start', '--external', 'alice'])).toMatchObject({ code: 2 });
      expect(await cli.run(['stop', '-q'])).toMatchObject({ code: 0 });
    } finally {
      bob.kill('SIGKILL');
    }
  });
});

describe('the action', () => {
  const action = fileURLToPath(new URL('../../../action.sh', import.meta.url));

  test('runs a command with its own network, and exits as the command does', async () => {
    const environment = {
      PARLEY_TEMPLATE: 'minimal',
      PARLEY_DUMP: 'evidence',
      PARLEY_RUN: 'echo $STACK_PARTIES; exit 5',
    };
    const { code, out } = await cli.shell(`'${action}'`, { environment }).ended;
    expect({ code, out }).toMatchObject({ code: 5, out: 'alice,bob\n' });
    expect(await readdir(join(cli.directory, 'evidence'))).toHaveLength(1);
    expect(await remains()).toEqual([]);
  });

  test('passes its script every input of action.yml', async () => {
    const [yaml, script] = await Promise.all([
      readFile(action.replace(/sh$/, 'yml'), 'utf8'),
      readFile(action, 'utf8'),
    ]);
    const { inputs, runs } = parse(yaml) as {
      readonly inputs: Record<string, unknown>;
      readonly runs: { readonly steps: readonly { readonly env: Record<string, string> }[] };
    };
    const env = runs.steps.flatMap((step) => Object.entries(step.env));
    expect(env.map(([, value]) => value).sort()).toEqual(
      Object.keys(inputs)
        .map((name) => `\${{ inputs.${name} }}`)
        .sort(),
    );
    for (const [name] of env) expect(script).toContain(`$${name === 'PARLEY_RUN' ? '{PARLEY_RUN' : name}`);
  });
});
