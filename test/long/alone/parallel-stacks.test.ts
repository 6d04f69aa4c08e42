import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { placeFrom } from '../../../src/stack/layout.js';
import { loadStack } from '../../../src/stack/places/locate.js';
import { type Identity, identify, isAlive } from '../../../src/supervisor/machine/identity.js';
import { createCli } from '../../e2e/fixtures/cli.js';
import { identitiesOf } from '../../e2e/fixtures/stack.js';

/** PARALLEL_STACKS sets another number; the checks are the same. */
const count = Number(process.env['PARALLEL_STACKS'] ?? 10);
const names = Array.from({ length: count }, (_, i) => `s${i}`);

// Its programs have a separate folder for temporary directories, in which leftovers are found.
const cli = createCli();
const environment = { TMPDIR: cli.directory };

afterAll(async () => {
  await cli.run(['remove', '--all', '--yes', '--force']);
  await cli.remove();
});

/** Returns everything that stacks leave besides the registry. */
async function remains(): Promise<readonly string[]> {
  const folders = ['home/stacks', 'home/ephemeral', 'parley'];
  const found = await Promise.all(folders.map((folder) => readdir(join(cli.directory, folder)).catch(() => [])));
  const temporary = (await readdir(cli.directory)).filter((name) => !['home', 'parley'].includes(name));
  return [...found.flat(), ...temporary.filter((name) => !name.startsWith('pids-'))];
}

/** Returns the processes whose command lines name the directory: supervisors, services, jobs. */
async function processes(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eww', '-o', 'pid=,args='], { maxBuffer: 16 * 1_024 * 1_024 });
  return stdout.split('\n').filter((line) => line.includes(cli.directory));
}

async function livingOf(identities: readonly Identity[]): Promise<number> {
  const alive = await Promise.all(identities.map(isAlive));
  return alive.filter(Boolean).length;
}

test('Stacks that are created and started at once are all healthy, share no port, and leave nothing', async () => {
  const line = (name: string) => `stack init ${name} -t minimal -q && stack start ${name} -q --timeout 5m`;
  const ended = await Promise.all(names.map((name) => cli.shell(line(name), { environment }).ended));
  expect(ended.map(({ code, err }) => (code === 0 ? '' : err)).filter((text) => text !== '')).toEqual([]);
  expect((await processes()).length).toBeGreaterThanOrEqual(count * 5);
  const stacks = await Promise.all(names.map((name) => loadStack(placeFrom(cli.environment), name)));
  const identities = (await Promise.all(stacks.map(identitiesOf))).flat();
  expect(identities.length).toBeGreaterThanOrEqual(count * 5);
  const ports: string[] = [];
  for (const name of names) {
    expect(await cli.run(['status', name, '--check'])).toMatchObject({ code: 0 });
    for (const service of ['chain', 'store', 'alice', 'bob']) {
      ports.push((await cli.run(['port', service, '-s', name])).out.trim());
    }
  }
  expect(new Set(ports).size).toBe(count * 4);
  expect(await cli.run(['remove', '--all', '--yes'], { environment })).toMatchObject({ code: 0 });
  expect(await livingOf(identities)).toBe(0);
  expect(await processes()).toEqual([]);
  expect(await remains()).toEqual([]);
});

test('Runs that are killed at once leave no process, socket or directory', async () => {
  const running = names.map((name) => {
    const job = `echo $$ > '${join(cli.directory, `pids-${name}`)}'; while :; do sleep 1; done`;
    return cli.begin(['run', '-t', 'minimal', '--timeout', '5m', '--', 'sh', '-c', job], { environment });
  });
  const jobs = await Promise.all(
    names.map(async (name) => {
      const file = join(cli.directory, `pids-${name}`);
      await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/^\d+\n$/);
      return Number(await readFile(file, 'utf8'));
    }),
  );
  expect((await processes()).length).toBeGreaterThanOrEqual(count * 5);
  for (const { child } of running) child.kill('SIGKILL');
  for (const job of jobs) await expect.poll(() => identify(job)).toBeUndefined();
  await expect.poll(processes).toEqual([]);
  await expect.poll(remains).toEqual([]);
});
