import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webEnvironment } from '../../support/test-run.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

/**
 * A separate project in which the packed package is installed. Dependencies of the package are linked, since an
 * installation would compile the database driver; jest comes from npm as a project's would.
 */
describe('The testing module of the packed package', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'parley-project-'));
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', project];
    const archive = (await run('npm', words, { cwd: root })).stdout.trim();
    await cp(join(root, 'test', 'e2e', 'fixtures', 'runners'), project, { recursive: true });
    // It must not run as a test of this repository, so it has another name here.
    await rename(join(project, 'vitest.test.ts.txt'), join(project, 'vitest.test.ts'));
    await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const inProject = { cwd: project, maxBuffer: 1e8, env: webEnvironment() };
    await run('npm', ['install', '--no-audit', '--no-fund', 'jest@30'], inProject);
    const modules = join(project, 'node_modules');
    const target = join(modules, '@parley-stack', 'parley');
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(project, archive), '--strip-components=1', '-C', target]);
    await linkMissing(join(root, 'node_modules'), modules);
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  /** Links every package that the project does not have. */
  async function linkMissing(from: string, to: string): Promise<void> {
    for (const name of await readdir(from)) {
      if (name.startsWith('.')) continue;
      if (name.startsWith('@')) {
        await mkdir(join(to, name), { recursive: true });
        await linkMissing(join(from, name), join(to, name));
      } else await symlink(join(from, name), join(to, name)).catch(() => undefined);
    }
  }

  async function passes(words: readonly string[], options = ''): Promise<string> {
    const env = {
      PATH: process.env['PATH'],
      HOME: project,
      STACK_HOME: join(project, 'home'),
      XDG_RUNTIME_DIR: project,
      NODE_OPTIONS: options,
      TMPDIR: tmpdir(),
    };
    const { stdout, stderr } = await run(process.execPath, words, { cwd: project, env, maxBuffer: 1e8 }).catch(
      (error: Error & { readonly stdout: string; readonly stderr: string }) => {
        throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
      },
    );
    expect(await readdir(join(project, 'home', 'ephemeral'))).toEqual([]);
    return stdout + stderr;
  }

  test('serves vitest: one network for a file, and one for a block', async () => {
    const said = await passes(['node_modules/vitest/vitest.mjs', 'run', 'vitest.test', '--no-color']);
    expect(said).toMatch(/Tests\s+6 passed/);
  });

  test('serves jest: one network for a run', async () => {
    const said = await passes(['node_modules/jest/bin/jest.js', '--ci'], '--experimental-vm-modules');
    expect(said).toMatch(/Tests:\s+3 passed/);
  });

  test('serves node:test', async () => {
    expect(await passes(['--test', 'node.test.mjs'])).toMatch(/# pass 3/);
  });

  async function compiles(module: string, file: string): Promise<void> {
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--module', module, '--target', 'es2022'];
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const more = ['--lib', 'es2022,esnext.disposable,dom', '--allowJs', '--types', 'node'];
    await run(process.execPath, [compiler, ...options, ...more, file], { cwd: project });
  }

  test('has types for a project in strict mode', async () => {
    await compiles('nodenext', 'vitest.test.ts');
  });

  test.each(['node16', 'nodenext'])('has types for a CommonJS file, with the modules of %s', async (module) => {
    await writeFile(join(project, 'plain.cts'), "import { createStack } from '@parley-stack/parley/testing';\n");
    await compiles(module, 'plain.cts');
  });
});
