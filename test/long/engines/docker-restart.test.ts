import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePortBase } from '../../support/port-base.js';
import { isRequired } from '../../support/services.js';
import { createCli, programFile } from '../../e2e/fixtures/cli.js';

const run = promisify(execFile);
const startMs = 60_000;

/** A container engine only for this test, in a network namespace, so that killing it does not affect others. */
describe.skipIf(!isRequired('dockerd'))('a stack whose container engine is killed (needs dockerd, as root)', () => {
  test('continues without help when the engine is back, and has lost nothing', async () => {
    const engine = await anEngine();
    const cli = aCliWith(engine);
    await cli.ok('init', 'dev', '-n', '2', '-q', '--runtime', 'docker', '--port-base', await freePortBase());
    await cli.ok('start', 'dev', '-q', '--timeout', '4m');
    const first = await cli.ok('broadcast', '{"before":1}', '--wait', 'all', '-q');
    const accepted = await cli.ok('broadcast', '{"n":1}', '--count', '50', '--no-wait', '-q');
    await engine.kill();
    const missing = 'The container engine does not answer';
    await expect.poll(() => cli.ends('status', 'dev'), { timeout: startMs }).toContain(missing);
    await engine.start();
    await cli.ok('wait', '--for', 'healthy', '--timeout', '2m');
    await cli.ok('wait', '--for', 'idle', '--timeout', '1m');
    const last = await cli.ok('broadcast', '{"after":1}', '--wait', 'all', '-q');
    for (const party of ['alice', 'bob']) {
      const listed = await cli.ok('messages', 'list', '-p', party, '--all', '--filter', 'state=confirmed', '-q');
      expect(listed.split('\n').sort()).toEqual([first, last, ...accepted.split('\n')].sort());
    }
    await engine.kill();
    await cli.ok('stop', 'dev', '-q');
    await engine.start();
    await cli.ok('remove', 'dev', '--yes');
    expect(await engine.names()).toEqual([]);
  });
});

interface OwnEngine {
  readonly host: string;
  /** The words before a program that run it in the engine's network namespace. */
  readonly inside: readonly string[];
  start(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** The names of its containers. */
  names(): Promise<string[]>;
}

async function anEngine(): Promise<OwnEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'parley-dockerd-'));
  const namespace = `pd${process.pid.toString(36)}`;
  const inside = ['nsenter', `--net=/run/netns/${namespace}`];
  const host = `unix://${join(directory, 'docker.sock')}`;
  await run('ip', ['netns', 'add', namespace]);
  await run('ip', ['-n', namespace, 'link', 'set', 'lo', 'up']);
  let daemon: ChildProcess | undefined;
  const at = (name: string) => join(directory, name);
  const docker = async (...words: readonly string[]) => (await run('docker', ['--host', host, ...words])).stdout;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = once(daemon, 'exit');
    daemon.kill(signal);
    await ended;
  };
  onTestFinished(async () => {
    await end('SIGTERM');
    // A killed engine leaves them mounted; if an engine has ended properly, umount fails.
    for (const place of ['exec/netns/default', 'data']) await run('umount', [at(place)]).catch(() => undefined);
    await run('ip', ['netns', 'del', namespace]);
    await rm(directory, { recursive: true, force: true });
  });
  const start = async (): Promise<void> => {
    await rm(at('pid'), { force: true });
    const places = ['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')];
    const [program = '', ...words] = [...inside, 'dockerd', '--host', host, ...places];
    // An engine that finds what a killed one has left may give up, and is started again.
    const isUp = (): Promise<string> => {
      if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) {
        daemon = spawn(program, words, { stdio: 'ignore' });
      }
      return docker('version').catch(() => '');
    };
    await expect.poll(isUp, { timeout: startMs }).toContain('Server');
  };
  await start();
  return {
    host,
    inside,
    start,
    kill: () => end('SIGKILL'),
    names: async () => (await docker('ps', '--all', '--quiet')).split('\n').filter((line) => line !== ''),
  };
}

/** The command line in the network namespace of an engine. */
function aCliWith({ host, inside }: OwnEngine) {
  const cli = createCli();
  const [program = '', ...words] = [...inside, process.execPath, programFile];
  const env = { ...cli.environment, DOCKER_HOST: host };
  const start = (given: readonly string[]) => run(program, [...words, ...given], { cwd: cli.directory, env });
  onTestFinished(async () => {
    await start(['remove', '--all', '--yes', '--force']);
    await cli.remove();
  });
  return {
    ok: async (...given: readonly string[]) => (await start(given)).stdout.trimEnd(),
    ends: (...given: readonly string[]): Promise<string> =>
      start(given).then(
        ({ stdout, stderr }) => stdout + stderr,
        (error: unknown) => String(error instanceof Error ? Reflect.get(error, 'stderr') : error),
      ),
  };
}
