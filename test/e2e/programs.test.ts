import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { Plugin } from '@oclif/core/config';
import { expect, it } from 'vitest';

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

it('says what a task lacks, also without a standard input', () => {
  const { stdout } = spawnSync(process.execPath, [new URL('bin/task.js', root).pathname], {
    stdio: ['ignore', 'pipe'],
  });
  expect(String(stdout)).toContain('A task is one of');
});

it('names them in what a command shows with --verbose', async () => {
  const words = [new URL('bin/run.js', root).pathname, 'status', 'nowhere', '--verbose'];
  const shown = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, (_, _out, stderr) => resolve(stderr));
  });
  expect(shown).toMatch(new RegExp(`${root.pathname}src/stack/places/locate\\.ts:\\d+:`));
});

it('imports nothing but what Node brings, its own parts, and packages that are installed with it', async () => {
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

it('has a table of its commands that says of each what its code says', async () => {
  const loaded = new Plugin({ root: root.pathname, type: 'core', isRoot: true, ignoreManifest: true });
  await loaded.load();
  const table = JSON.parse(await readFile(new URL('oclif.manifest.json', root), 'utf8')) as unknown;
  expect(Object.keys(loaded.manifest.commands).length).toBeGreaterThan(100);
  expect(table).toEqual(JSON.parse(JSON.stringify(loaded.manifest)));
});
