import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
let packed: readonly string[];

beforeAll(async () => {
  const command = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', command, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  const [description] = JSON.parse(stdout) as { files: { path: string }[] }[];
  packed = (description?.files ?? []).map(({ path }) => path);
});

describe('the package', () => {
  it('has every program, the contract and the templates', () => {
    const programs = ['run', 'supervisor', 'chain', 'store', 'node', 'thread', 'task'].map((name) => `bin/${name}.js`);
    const others = [
      ...['cli', 'supervisor', 'chain', 'store', 'node', 'thread', 'task', 'testing'].map(
        (name) => `dist/programs/${name}.cjs`,
      ),
      'dist/programs/node.cjs.map',
      'dist/programs/LICENSES.txt',
      'oclif.manifest.json',
      'ui/dist/index.html',
      'ui/dist/files.json',
      'contracts/artifacts/Network.json',
      'templates/default/stack.yaml',
      'dist/types/testing/testing.d.ts',
      'dist/types/package.json',
      'man/stack.1',
    ];
    expect([...programs, ...others].filter((path) => !packed.includes(path))).toEqual([]);
  });

  it('has no file that only a clone needs', () => {
    const folders = /^(dist\/programs|dist\/types|ui\/dist|contracts\/artifacts|templates|triggers|schemas|man)\//;
    const programs = /^(bin\/(?!setup\.js|builds\.js|bundle\.js)|scripts\/ff$)/;
    const isOurs = (path: string) => folders.test(path) || programs.test(path);
    const single = ['package.json', 'README.md', 'LICENSE', 'oclif.manifest.json'];
    const isHidden = (path: string) => /(^|\/)\./.test(path);
    expect(packed.filter((path) => !(isOurs(path) || single.includes(path)) || isHidden(path))).toEqual([]);
  });
});
