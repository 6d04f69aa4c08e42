import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Type } from '@sinclair/typebox';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import { packageFile } from '../layout.js';

/** A file of an image: its path here and its path in the image. */
export interface ImageFile {
  readonly source: string;
  readonly target: string;
}

/**
 * The paths of the package, of packages that npm has installed beside it, and of Node in an image. They do not depend
 * on how this package is installed, since exported networks get newer images from other installations.
 */
export const places = { root: 'opt/parley', hoisted: 'opt/node_modules', node: 'usr/local/bin/node' } as const;

/** The folder of the programs in an image. */
export const programsInImage = `/${places.root}/bin`;

const Package = Type.Object({ dependencies: Type.Optional(Type.Record(Type.String(), Type.String())) });

const ownFolders = ['bin', 'dist/programs', 'ui/dist', 'contracts/artifacts', 'templates', 'triggers', 'schemas'];
/** Files of packages that programs do not use at run time. */
const unneeded = new RegExp(
  [
    String.raw`\.(?:d\.[cm]?ts|ts|map|md|markdown|c|cc|h|hpp|gyp|gypi|o|a|d|tar\.gz)$`,
    String.raw`(?:^|/)(?:tests?|docs?|examples?|deps|obj\.target|\.deps|\.github)/`,
  ].join('|'),
);

/**
 * The files of an image: the running Node, the libraries that it has loaded, and this package with its dependencies for
 * this system. Without the chain, its engine is left out, which is a third of an image.
 */
export async function imageFiles(
  hasChain: boolean,
  root = dirname(packageFile('package.json')),
): Promise<readonly ImageFile[]> {
  const own = await Promise.all(ownFolders.map((folder) => filesBelow(join(root, folder))));
  // The chain loads the engine of hardhat's dependencies, and nothing else of hardhat.
  const hardhat = hasChain ? findPackage('hardhat', root) : undefined;
  const packages = [
    ...(await packagesOf(root, 'sqlite3')),
    ...(hardhat === undefined ? [] : await packagesOf(hardhat, '@nomicfoundation/edr')),
  ];
  const ofPackages = await Promise.all(
    packages.map(async (folder) => (await filesBelow(folder)).filter((path) => !unneeded.test(relative(folder, path)))),
  );
  const inImage = (source: string) => ({ source, target: targetOf(source, root) });
  const descriptions = [root, ...(hardhat === undefined ? [] : [hardhat])].map((folder) =>
    join(folder, 'package.json'),
  );
  const files = [...descriptions, ...own.flat(), ...ofPackages.flat()].map(inImage);
  return [...systemFiles(), ...files];
}

/** Places packages from outside the package in the next folder in which Node looks for them. */
function targetOf(source: string, root: string): string {
  const path = relative(root, source);
  if (!path.startsWith('../')) return join(places.root, path);
  return join(places.hoisted, path.replace(/^(?:\.\.\/)+(?:node_modules\/)?/, ''));
}

/** Node, with the loader and the libraries that its process has loaded. */
function systemFiles(): ImageFile[] {
  const report: unknown = process.report.getReport();
  const loaded: unknown = report instanceof Object ? Reflect.get(report, 'sharedObjects') : [];
  const libraries = (Array.isArray(loaded) ? loaded.map(String) : []).filter((path) => /\.so(?:\.|$)/.test(path));
  // Older C libraries load these only when a name is resolved.
  const resolvers = libraries
    .filter((path) => /\/libc\.so/.test(path))
    .flatMap((path) =>
      ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'].map((name) => join(dirname(path), name)),
    );
  const all = [...new Set([...libraries, ...resolvers])].filter((path) => existsSync(path) && path.startsWith('/'));
  return [
    { source: process.execPath, target: places.node },
    ...all.map((source) => ({ source, target: source.slice(1) })),
  ];
}

/** The folders of a package and of its dependencies for this system. */
async function packagesOf(from: string, first: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const visit = async (name: string, parent: string): Promise<void> => {
    const folder = fits(name) ? findPackage(name, parent) : undefined;
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies = {} } = (await readJsonFile(join(folder, 'package.json'), Package)) ?? {};
    for (const each of needed[name] ?? Object.keys(dependencies)) await visit(each, folder);
  };
  await visit(first, from);
  return [...found];
}

/** The run-time dependencies of packages whose other dependencies only build them. */
const needed: Readonly<Record<string, readonly string[]>> = { sqlite3: ['bindings'] };

function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Whether a package is for this system, by its name. A name without a system fits every system. */
function fits(name: string): boolean {
  const [, system, processor, library] = /-(linux|darwin|win32)-([a-z0-9]+)(?:-(gnu|musl|msvc))?$/.exec(name) ?? [];
  if (system === undefined) return true;
  const header: unknown = Reflect.get(process.report.getReport(), 'header');
  const isGlibc = header instanceof Object && Reflect.get(header, 'glibcVersionRuntime') !== undefined;
  const own = isGlibc ? 'gnu' : 'musl';
  return system === process.platform && processor === process.arch && (library === undefined || library === own);
}

/** Files below a folder, without nested packages. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const nested = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return nested.flat().sort();
}

/** Larger files are binaries, whose version is in a smaller file or in `process.version`. */
const maxHashedBytes = 8_388_608;

/** A hash of an image's files, the same for the same package and Node. */
export async function contentHash(files: readonly ImageFile[]): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const { source, target } of files) {
    const { size } = await stat(source);
    hash.update(`\0${target}\0${size}\0`);
    if (size <= maxHashedBytes) hash.update(await readFile(source));
  }
  return hash.digest('hex').slice(0, 32);
}
