import { execFile } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
let home: string;
let folder: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-compiled-'));
  folder = join(home, '.cache', 'parley', 'compiled', `${process.version}-${process.arch}`);
});
afterEach(() => rm(home, { recursive: true, force: true }));

interface Ended {
  readonly out: string;
  readonly err: string;
}

/** Runs a program, by default a command, until it exits. */
function run(name = 'run', environment: Readonly<Record<string, string>> = { HOME: home }): Promise<Ended> {
  const words = [new URL(`bin/${name}.js`, root).pathname, '--version'];
  return new Promise((resolve) => {
    execFile(process.execPath, words, { env: environment }, (_, out, err) => resolve({ out, err }));
  });
}

/** Returns the kept files by name, with a number that changes when a file is replaced. */
async function kept(): Promise<Readonly<Record<string, number>>> {
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.sort().map(async (name) => [name, (await stat(join(folder, name))).ino] as const)),
  );
}

async function fileOf(program: string): Promise<string> {
  const name = (await readdir(folder)).find((one) => one.startsWith(`${program}-`));
  expect(name).toBeDefined();
  return join(folder, name ?? '');
}

it.each(['run', 'node'])('compiles a program once: %s', async (name) => {
  const first = await run(name);
  const files = await kept();
  expect(Object.keys(files)).not.toEqual([]);
  const again = await run(name);
  expect(await kept()).toEqual(files);
  // Log lines have times.
  const withoutTimes = ({ out }: Ended) => out.replaceAll(/"(?:time|pid)":[^,}]*/g, '');
  expect(withoutTimes(again)).toBe(withoutTimes(first));
});

it('keeps files private, also when several programs start at once', async () => {
  const ended = await Promise.all([run(), run(), run(), run()]);
  expect(new Set(ended.map(({ out }) => out)).size).toBe(1);
  expect(ended.map(({ err }) => err).join('')).toBe('');
  const names = Object.keys(await kept());
  expect(names.filter((name) => !name.endsWith('.bin'))).toEqual([]);
  for (const name of names) expect((await stat(join(folder, name))).mode & 0o077).toBe(0);
  const files = await kept();
  await run();
  expect(await kept()).toEqual(files);
});

it('compiles damaged, cut or empty files again', async () => {
  const { out } = await run();
  const file = await fileOf('part-base');
  const whole = await readFile(file);
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1] = ~(flipped[whole.length >> 1] ?? 0);
  for (const damaged of [flipped, whole.subarray(0, whole.length >> 1), Buffer.alloc(0)]) {
    await writeFile(file, damaged);
    expect(await run()).toEqual({ out, err: '' });
    expect((await readFile(file)).equals(damaged)).toBe(false);
  }
});

it('does not run files that another user has put there', async (context) => {
  if (process.getuid?.() !== 0) context.skip('only root can give a file away');
  const { out } = await run();
  const file = await fileOf('part-base');
  await chown(file, 12_345, 12_345);
  const { ino } = await stat(file);
  expect(await run()).toEqual({ out, err: '' });
  expect(await stat(file)).toMatchObject({ uid: 0 });
  expect((await stat(file)).ino).not.toBe(ino);
});

it.each([
  ['a home that cannot be written', { HOME: '/proc/nowhere' }],
  ['a file in place of the cache', { HOME: '/', XDG_CACHE_HOME: '/dev/null' }],
  ['no home', {}],
])('runs with %s', async (_, environment) => {
  const { out } = await run();
  expect(await run('run', environment)).toEqual({ out, err: '' });
});

it('keeps the newest 64 MiB, of all builds and versions of Node', async () => {
  const older = join(home, '.cache', 'parley', 'compiled', 'v1.2.3-any');
  await mkdir(older, { recursive: true });
  const [old, oldest] = [join(older, 'old.bin'), join(older, 'oldest.bin')];
  for (const [path, at] of [
    [old, 2_000],
    [oldest, 1_000],
  ] as const) {
    await writeFile(path, '');
    await truncate(path, 40 * 1024 * 1024);
    await utimes(path, at, at);
  }
  await run();
  expect(await readdir(older)).toEqual(['old.bin']);
  expect(await readdir(folder)).not.toEqual([]);
});

it('is separate for each installation, since traces show paths in the compiled code', async () => {
  await run('node');
  const other = join(home, 'other');
  for (const part of ['bin', 'dist/programs', 'package.json']) {
    await cp(new URL(part, root), join(other, part), { recursive: true });
  }
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [join(other, 'bin/node.js')], { env: { HOME: home } }, (_, out) => resolve(out));
  });
  expect(output).toContain(join(other, 'src/node/main.ts'));
  expect(output).not.toContain(new URL('dist/programs', root).pathname);
});
