import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Plugin } from '@oclif/core/config';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = new URL('../../', import.meta.url);
const { dependencies } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

it('names the files of the sources in its stack traces', async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [new URL('bin/node.js', root).pathname], (_, stdout) => resolve(stdout));
  });
  const { error } = JSON.parse(output) as { readonly error: { readonly message: string; readonly stack: string } };
  expect(error.message).toBe('Usage: node.js CONFIG');
  const source = await readFile(new URL('src/node/main.ts', root), 'utf8');
  const line = source.split('\n').findIndex((text) => text.includes('Usage: node.js CONFIG')) + 1;
  expect(error.stack).toContain(`${root.pathname}src/node/main.ts:${line}:`);
});

it('names the missing input of a task, also without a standard input', () => {
  const { stdout } = spawnSync(process.execPath, [new URL('bin/task.js', root).pathname], {
    stdio: ['ignore', 'pipe'],
  });
  expect(String(stdout)).toContain('Expected a task (contracts, smoke, pools)');
});

it('names source files in the trace that a command shows with --verbose', async () => {
  const words = [new URL('bin/run.js', root).pathname, 'status', 'nowhere', '--verbose'];
  const shown = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, (_, _out, stderr) => resolve(stderr));
  });
  expect(shown).toMatch(new RegExp(`${root.pathname}src/stack/places/locate\\.ts:\\d+:`));
});

it('imports only modules of Node, its own parts, and packages that are installed with it', async () => {
  const folder = new URL('dist/programs/', root);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.cjs'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/^(?:let \w+ = )?require\("([^"]+)"\);$/gm)].map(([, from = '']) => from),
  );
  const isThere = (from: string) =>
    /^(?:node:|\.\/)/.test(from) || isBuiltin(from) || Object.hasOwn(dependencies, from);
  expect(imported.filter((from) => !isThere(from))).toEqual([]);
  expect(imported).toContain('sqlite3');
});

it('has a table of commands that agrees with their code', async () => {
  const loaded = new Plugin({ root: root.pathname, type: 'core', isRoot: true, ignoreManifest: true });
  await loaded.load();
  const table = JSON.parse(await readFile(new URL('oclif.manifest.json', root), 'utf8')) as unknown;
  expect(Object.keys(loaded.manifest.commands).length).toBeGreaterThan(100);
  expect(table).toEqual(JSON.parse(JSON.stringify(loaded.manifest)));
});

describe('a package whose SQLite driver does not load', () => {
  it.each([
    ['damaged', /file too short|invalid ELF|not valid|slice is not valid/],
    ['missing', /Cannot find/],
  ])('that is %s stops no command that can do without it, and says what helps', async (state, said) => {
    const directory = await mkdtemp(join(tmpdir(), 'driver-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    await copyPackage(directory);
    if (state === 'damaged') {
      const driver = join(directory, 'node_modules', 'sqlite3');
      await cp(join(fileURLToPath(root), 'node_modules', 'sqlite3', 'lib'), join(driver, 'lib'), { recursive: true });
      await mkdir(join(driver, 'build', 'Release'), { recursive: true });
      await writeFile(join(driver, 'package.json'), '{"name":"sqlite3","main":"./lib/sqlite3"}');
      await writeFile(join(driver, 'build', 'Release', 'node_sqlite3.node'), 'damaged');
    }
    const home = join(directory, 'home');
    const run = (...words: string[]) => {
      const env = { PATH: process.env['PATH'], HOME: home, STACK_HOME: home, XDG_RUNTIME_DIR: directory };
      const program = join(directory, 'bin', 'run.js');
      return spawnSync(process.execPath, [program, ...words], { env, cwd: directory, encoding: 'utf8' });
    };
    const working = [
      ['init', 'dev', '-y'],
      ['list'],
      ['status', 'dev'],
      ['stop', 'dev'],
      ['config', 'show'],
      ['reset', '-y'],
    ];
    for (const words of [...working, ['remove', 'dev', '-y']]) expect(run(...words)).toMatchObject({ status: 0 });
    run('init', 'dev', '-y');
    const history = join(home, 'stacks', 'dev', 'data', 'history');
    await mkdir(dirname(history), { recursive: true });
    await writeFile(history, '');
    for (const words of [['start'], ['start', '--fresh', '-y'], ['restart'], ['run', '--', 'true'], ['doctor']]) {
      const { status, stdout, stderr } = run(...words);
      expect(status).toBe(9);
      expect(stdout + stderr).toMatch(said);
      expect(stderr).not.toContain('Warning');
      expect(stdout + stderr).toContain('Install again with install scripts allowed: npm rebuild sqlite3');
    }
    expect(existsSync(history)).toBe(true);
  });
});

/** Creates a package with the programs of this one, and all packages except the driver. */
async function copyPackage(directory: string): Promise<void> {
  const own = fileURLToPath(root);
  for (const name of [
    'bin',
    'dist/programs',
    'package.json',
    'oclif.manifest.json',
    'templates',
    'contracts/artifacts',
  ]) {
    await cp(join(own, name), join(directory, name), { recursive: true });
  }
  await mkdir(join(directory, 'node_modules'));
  for (const name of await readdir(join(own, 'node_modules'))) {
    if (name === 'sqlite3') continue;
    await symlink(join(own, 'node_modules', name), join(directory, 'node_modules', name));
  }
}
