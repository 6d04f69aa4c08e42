import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface Ended {
  readonly code: number;
  readonly output: string;
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
let clone: string;

/** Replaces the builder of the explorer, which needs all its sources. */
const builder = `
const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('ui/dist', { recursive: true });
writeFileSync('ui/dist/index.html', process.argv.slice(2).join(' '));
`;

/** Replaces the bundler of the programs, which needs all packages. */
const bundler = `
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/programs', { recursive: true });
writeFileSync('dist/programs/cli.cjs', readdirSync('src').join(' '));
writeFileSync('oclif.manifest.json', '{}');
`;

const driver = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** Replaces npm, which would download or compile the driver: records its arguments, and creates the driver's file. */
const npm = `#!/bin/sh
echo "$@" > npm-words
mkdir -p ${dirname(driver)}
touch ${driver}
`;

/** Creates a clone with one source file, and the compiler and a builder as its only installed packages. */
beforeEach(async () => {
  clone = await mkdtemp(join(tmpdir(), 'setup-'));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'bin'];
  for (const name of settings) await cp(join(root, name), join(clone, name), { recursive: true });
  await writeFile(join(clone, 'bin', 'bundle.js'), bundler);
  await mkdir(join(clone, 'node_modules'));
  for (const name of ['typescript', '@types', '.package-lock.json']) {
    await symlink(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  }
  await mkdir(join(clone, 'node_modules', 'vite', 'bin'), { recursive: true });
  await writeFile(join(clone, 'node_modules', 'vite', 'bin', 'vite.js'), builder);
  await mkdir(join(clone, dirname(driver)), { recursive: true });
  await writeFile(join(clone, driver), '');
  for (const name of ['ui/src', 'ui/build', 'src/wire', 'src/client'])
    await mkdir(join(clone, name), { recursive: true });
  for (const name of ['index.html', 'tsconfig.json', 'vite.config.ts']) await writeFile(join(clone, 'ui', name), '');
  await write('one.ts', 'export const one = 1;\n');
});

afterEach(() => rm(clone, { recursive: true, force: true }));

describe('the set-up of a clone', () => {
  it('builds whatever is not built, and links the commands for npx', async () => {
    const { code, output } = await setUp('build');
    const expected = 'Building the programs, the explorer and the types ... T s\n';
    expect({ code, output: output.replaceAll(/[\d.]+ s\n/g, 'T s\n') }).toEqual({ code: 0, output: expected });
    expect(await readFile(join(clone, 'ui', 'dist', 'index.html'), 'utf8')).toMatch(/^build ui /);
    expect(existsSync(join(clone, 'dist', 'types', 'one.d.ts'))).toBe(true);
    expect(await programText()).toBe('client one.ts wire');
    expect(await readlink(join(clone, 'node_modules', '.bin', 'stack'))).toBe('../../bin/run.js');
  });

  it('leaves a fresh build unchanged', async () => {
    await setUp('build');
    const before = await stat(join(clone, 'dist', 'programs', 'cli.cjs'));
    expect(await setUp('build')).toEqual({ code: 0, output: '' });
    expect((await stat(join(clone, 'dist', 'programs', 'cli.cjs'))).mtimeMs).toBe(before.mtimeMs);
  });

  it('builds changed files again, and removes output without a source', async () => {
    await setUp('build');
    await write('two.ts', 'export const two = 2;\n');
    await rm(join(clone, 'src', 'one.ts'));
    expect((await setUp('build')).code).toBe(0);
    expect(await programText()).toBe('client two.ts wire');
    expect(existsSync(join(clone, 'dist', 'types', 'two.d.ts'))).toBe(true);
    expect(existsSync(join(clone, 'dist', 'types', 'one.d.ts'))).toBe(false);
  });

  it('builds only the explorer again when a part of it has changed', async () => {
    await setUp('build');
    await writeFile(join(clone, 'ui', 'src', 'main.tsx'), 'export {};');
    const { output } = await setUp('build');
    expect(output).toMatch(/^Building the explorer \.\.\. [\d.]+ s\n$/);
  });

  it('builds the programs again when the table of commands is gone', async () => {
    await setUp('build');
    await rm(join(clone, 'oclif.manifest.json'));
    expect((await setUp('build')).output).toMatch(/^Building the programs \.\.\. [\d.]+ s\n$/);
  });

  it('names the line that does not compile, writes no types, and tries again the next time', async () => {
    await write('one.ts', 'export const one: string = 1;\n');
    const failed = await setUp('build');
    expect(failed.code).toBe(1);
    expect(failed.output).toContain('src/one.ts(1,14)');
    expect(existsSync(join(clone, 'dist', 'types'))).toBe(false);
    expect((await setUp('build')).output).toContain('src/one.ts(1,14)');
    await write('one.ts', 'export const one = 1;\n');
    expect((await setUp('build')).code).toBe(0);
  });

  it.each(['quickstart', 'programs'])('builds only the programs for the task %s', async (task) => {
    const { output } = await setUp(task);
    expect(output).toMatch(/^Building the programs and the explorer \.\.\. [\d.]+ s\n/);
    expect(existsSync(join(clone, 'dist', 'types'))).toBe(false);
  });

  it('makes npm build the database driver in parallel if it is missing', async () => {
    await rm(join(clone, driver));
    await writeFile(join(clone, 'npm'), npm);
    await chmod(join(clone, 'npm'), 0o755);
    const { code, output } = await setUp('build', { PATH: `${clone}:${process.env['PATH'] ?? ''}` });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^Building the database driver, /),
    });
    expect(await readFile(join(clone, 'npm-words'), 'utf8')).toBe('rebuild sqlite3\n');
    expect(await setUp('build')).toEqual({ code: 0, output: '' });
  });

  it('only links at the end of an install, and builds what npm packs of a dependency from git', async () => {
    expect(await setUp('link')).toEqual({ code: 0, output: '' });
    expect(existsSync(join(clone, 'dist'))).toBe(false);
    expect(await setUp('link', { _PACOTE_NO_PREPARE_: 'git+ssh://host/repository.git' })).toMatchObject({ code: 0 });
    expect(await programText()).toBe('client one.ts wire');
    expect(existsSync(join(clone, 'ui', 'dist', 'index.html'))).toBe(true);
  });

  it('lists its tasks when the given one does not exist', async () => {
    const { code, output } = await setUp('deploy');
    expect({ code, output }).toEqual({
      code: 2,
      output: 'Usage: node bin/setup.js quickstart|test|programs|build|link\n',
    });
  });
});

function programText(): Promise<string> {
  return readFile(join(clone, 'dist', 'programs', 'cli.cjs'), 'utf8');
}

function write(name: string, text: string): Promise<void> {
  return writeFile(join(clone, 'src', name), text);
}

function setUp(task: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const env = { ...process.env, ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(clone, 'bin', 'setup.js'), task], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}
