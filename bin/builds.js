// The builds of a clone, and whether each is stale. Like bin/setup.js, it imports only modules of Node.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** All builds, each with its results and what they depend on: files and folders. They are independent of each other. */
const builds = [
  {
    name: 'the programs',
    stamp: join('dist', '.programs'),
    results: ['dist/programs', 'oclif.manifest.json'],
    sources: ['tsconfig.json', 'package-lock.json', 'bin/bundle.js', 'src'],
    script: ['bin/bundle.js'],
  },
  {
    name: 'the explorer',
    stamp: join('ui', 'dist', '.fingerprint'),
    results: ['ui/dist/index.html'],
    sources: [
      'tsconfig.json',
      'package-lock.json',
      'src/wire',
      'src/client',
      'ui/index.html',
      'ui/tsconfig.json',
      'ui/vite.config.ts',
      'ui/build',
      'ui/src',
    ],
    script: ['node_modules/vite/bin/vite.js', 'build', 'ui', '--logLevel', 'warn'],
  },
  {
    // The types of the module for tests. The compiler writes them, and checks all types for that.
    name: 'the types',
    stamp: join('dist', '.types'),
    results: ['dist/types'],
    sources: ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'bin/builds.js', 'src'],
    script: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--pretty', 'false'],
    finish: finishTypes,
  },
];

/** The builds that the programs need at run time. */
export const toRun = ['the programs', 'the explorer'];
export const all = builds.map(({ name }) => name);

/**
 * Returns the named builds whose results are absent or older than their sources, each with the function that repeats
 * it. `compile` runs a script with its arguments in the root.
 */
export function staleBuilds({ root, compile, names }) {
  const named = builds.filter(({ name }) => names.includes(name));
  /** The files that were read, since most belong to several builds. */
  const read = new Map();
  return named.flatMap(({ name, stamp, results, sources, script, finish }) => {
    const fingerprint = fingerprintOf(root, sources, read);
    const path = join(root, stamp);
    const isWhole = [stamp, ...results].every((result) => existsSync(join(root, result)));
    if (isWhole && readFileSync(path, 'utf8') === fingerprint) return [];
    const run = async () => {
      await compile(script);
      finish?.(root);
      writeFileSync(path, fingerprint);
    };
    return [{ name, run }];
  });
}

/** Hashes the names and contents of files, and of all files below folders. */
function fingerprintOf(root, sources, read) {
  const hash = createHash('sha256');
  const paths = sources.flatMap((name) => {
    const path = join(root, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
  for (const path of paths) {
    const bytes = read.get(path) ?? readFileSync(path);
    read.set(path, bytes);
    hash
      .update(`${relative(root, path)}\0`)
      .update(bytes)
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Removes declarations without a source, which the compiler leaves; the bundler removes old programs itself. Then
 * declares the module as CommonJS, which its program is: a CommonJS project could not import it otherwise.
 */
function finishTypes(root) {
  const types = join(root, 'dist', 'types');
  for (const path of filesUnder(types)) {
    const source = join(root, 'src', relative(types, path).replace(/\.d\.ts$/, '.ts'));
    if (!existsSync(source)) rmSync(path);
  }
  writeFileSync(join(types, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return paths.sort((left, right) => (left.split(sep).join('/') < right.split(sep).join('/') ? -1 : 1));
}
