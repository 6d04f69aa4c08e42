import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  readonly version: string;
  readonly optional?: true;
  readonly hasInstallScript?: true;
}

/** The oldest versions without known flaws, one for each major line, at any depth of the tree. */
const floors: Readonly<Record<string, readonly string[]>> = {
  koa: ['3.1.2'],
  'path-to-regexp': ['8.4.0'],
  busboy: ['1.0.0'],
  ws: ['7.5.11', '8.21.0'],
  ajv: ['6.14.0', '8.18.0'],
  'fast-uri': ['3.1.7'],
  knex: ['3.0.0'],
  lodash: ['4.18.0'],
  yaml: ['2.8.3'],
  tar: ['7.5.11'],
  vite: ['8.0.5'],
};

const packages = Object.entries(readJson<{ packages: Record<string, Locked> }>('package-lock.json').packages)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ ...locked, path, name: path.replace(/^.*node_modules\//, '') }));
const settings = readJson<{ allowScripts: Record<string, boolean>; dependencies: Record<string, string> }>(
  'package.json',
);

describe('the lockfile', () => {
  it('has no version with a known flaw', () => {
    const tooOld = packages.filter(({ name, version }) => {
      const floor = floors[name]?.find((each) => major(each) === major(version)) ?? floors[name]?.at(-1);
      return floor !== undefined && isOlder(version, floor);
    });
    expect(tooOld.map(({ path, version }) => `${path} ${version}`)).toEqual([]);
  });

  it('has a decision for every package with an install script', () => {
    const undecided = packages.filter(
      ({ name, hasInstallScript }) => hasInstallScript && !(name in settings.allowScripts),
    );
    expect(undecided.map(({ path }) => path)).toEqual([]);
  });

  it('lets only the database driver run an install script', () => {
    const allowed = Object.entries(settings.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed.map(([name]) => name)).toEqual(['sqlite3']);
  });

  it('lists every package completely, so that npm ci accepts it on every system', () => {
    const root = readJson<{ packages: Record<string, { optionalDependencies?: Record<string, string> }> }>(
      'package-lock.json',
    );
    const names = new Set(packages.map(({ name }) => name));
    const missing = Object.entries(root.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !names.has(name))
        .map((name) => `${name}, wanted by ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('installs with the package only what its bundles do not contain', () => {
    expect(Object.keys(settings.dependencies)).toEqual(['@sinclair/typebox', 'hardhat', 'sqlite3']);
  });

  it('pins the chain, the signer and the database layer to exact versions', () => {
    const pinned = ['ethers', 'hardhat', 'knex'].filter((name) => name in settings.dependencies);
    expect(pinned.filter((name) => !/^\d+\.\d+\.\d+$/.test(settings.dependencies[name] ?? ''))).toEqual([]);
  });
});

function readJson<Shape>(name: string): Shape {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as Shape;
}

function major(version: string): number {
  return Number(version.split('.')[0]);
}

/** Whether a version comes before a floor; a pre-release counts as its release. */
function isOlder(version: string, floor: string): boolean {
  const parts = (text: string) => text.replace(/-.*$/, '').split('.').map(Number);
  const [left, right] = [parts(version), parts(floor)];
  const index = left.findIndex((part, at) => part !== right[at]);
  return index >= 0 && (left[index] ?? 0) < (right[index] ?? 0);
}
