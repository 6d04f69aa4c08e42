// Bundles the sources into the programs of dist/programs. Without bundles, finding and loading a thousand modules took
// two thirds of a start. They are CommonJS, because V8 caches compiled code only for scripts (bin/load.js). The native
// driver and the engine of the chain stay outside. With --watch, it bundles again after each change of a source, and
// runs the compiler to report errors.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { Plugin } from '@oclif/core/config';
import { build, watch } from 'rolldown';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist', 'programs');
const manifest = join(root, 'oclif.manifest.json');
/** The folders of the packages whose code is in a program. */
const packages = new Set();

/**
 * Long-running programs, and the thread of one, each in a single file: a rebuild must not remove a file that they load
 * later.
 */
const services = {
  node: `export { main } from './src/node/main.ts';`,
  chain: `export { main } from './src/devchain/main.ts';`,
  store: `export { main } from './src/sharedstore/main.ts';`,
  supervisor: `export { main } from './src/supervisor/main.ts';
    export const loadJoins = async () => (await import('./src/stack/view.ts')).joins;`,
  thread: `import './src/adapters/judge/thread.ts';`,
};

/** Short-running programs. Code that only some commands need is in separate files, loaded on demand. */
const shortRunning = {
  cli: `export { main, programName } from './src/cli/main.ts';
    ${loadersOf('src/cli/commands')}`,
  commands: commandsOf('src/cli/commands'),
  task: `export { main } from './src/stack/tasks/main.ts';
    export { recordedLimits } from './src/domain/network/network-rules.ts';`,
  testing: `export * from './src/testing/testing.ts';`,
};

/**
 * Packages that no program uses: those of dockerode for BuildKit and for engines over SSH, four times the size of the
 * rest, and those of oclif for finding commands and plugins by patterns, which it would load for every command.
 */
const unused = new Set(['@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'ssh2', 'minimatch', 'tinyglobby']);

/** The code with which oclif sorts the commands at each start. The first locale-aware comparison takes 12 ms. */
const sorting = {
  file: join('@oclif', 'core', 'lib', 'config', 'plugin.js'),
  code: '.sort((a, b) => a.id.localeCompare(b.id))',
};

/** Removes the sorting, since the manifest is sorted. @throws Error if a new version of oclif sorts in another way */
function withoutSorting(code) {
  if (!code.includes(sorting.code)) throw new Error(`${sorting.file} does not contain ${sorting.code}`);
  // No line moves, so the source map stays valid.
  return { code: code.replace(sorting.code, ''), map: null };
}

/** The options of a bundle of `programs`: by name, the text of each entry module. */
function bundleOf(programs, output) {
  const entry = (name) => join(root, `${name}.program.ts`);
  const texts = new Map(Object.entries(programs).map(([name, text]) => [entry(name), text]));
  return {
    input: Object.fromEntries(Object.keys(programs).map((name) => [name, entry(name)])),
    cwd: root,
    platform: 'node',
    external: ['sqlite3', 'hardhat', 'typescript'],
    // Packages import optional packages that are not installed.
    checks: { unresolvedImport: false, ineffectiveDynamicImport: false, eval: false },
    logLevel: 'warn',
    plugins: [
      {
        name: 'programs',
        resolveId: (id) => (texts.has(id) || unused.has(id) ? id : null),
        load: (id) => texts.get(id) ?? (unused.has(id) ? 'export default undefined;' : null),
        transform: (code, id) => (id.endsWith(sorting.file) ? withoutSorting(code) : null),
        generateBundle(_, files) {
          for (const file of Object.values(files)) {
            if (file.type === 'chunk') for (const id of Object.keys(file.modules)) notePackage(id);
            else if (file.fileName.endsWith('.map')) file.source = mapOfSources(file.source);
          }
        },
      },
    ],
    output: {
      dir: folder,
      format: 'cjs',
      // Node warns about an import in a script whose compiled code was cached.
      dynamicImportInCjs: false,
      charset: 'ascii',
      comments: false,
      entryFileNames: '[name].cjs',
      sourcemap: true,
      sourcemapExcludeSources: true,
      ...output,
    },
  };
}

/** Reduces a source map to the lines of our own sources, a tenth of its size. */
function mapOfSources(text) {
  const map = JSON.parse(text);
  const isOurs = map.sources.map((source) => source.startsWith('../../src/'));
  let last = '';
  const lines = decode(map.mappings).map((segments) =>
    segments.flatMap(([column, source, line]) => {
      const place = source !== undefined && isOurs[source] ? `${source}:${line}` : '';
      if (place === last) return [];
      last = place;
      return place === '' ? [[column]] : [[column, source, line, 0]];
    }),
  );
  return JSON.stringify({
    ...map,
    sources: map.sources.map((source, at) => (isOurs[at] ? source : '')),
    names: [],
    mappings: encode(lines),
  });
}

function notePackage(id) {
  const [, found] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  if (found !== undefined) packages.add(found);
}

/** Writes the licences of all packages whose code is in the programs, as these licences require. */
function writeLicences() {
  const texts = [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(join(path, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}`;
  });
  const head = 'The programs in this folder contain code of these packages.';
  writeFileSync(join(folder, 'LICENSES.txt'), `${[head, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** Lists the files of a folder of commands as pairs of id and path; the id is derived from the path. */
function filesById(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  return sources.map((file) => [file.replace(/\.ts$/, '').replaceAll('/', ':'), `./${folder}/${file}`]);
}

/** Generates the table with which the command line loads only the command that is called. */
function loadersOf(folder) {
  const entries = filesById(folder).map(([id, file]) => `'${id}': () => import('${file}')`);
  return `export const commands = { ${entries.join(', ')} };`;
}

/** Generates the table of all commands, from which oclif derives the manifest. */
function commandsOf(folder) {
  const files = filesById(folder);
  const imports = files.map(([, file], index) => `import c${index} from '${file}';`);
  const entries = files.map(([id], index) => `'${id}': c${index}`);
  return `${imports.join('\n')}\nexport const commands = { ${entries.join(', ')} };`;
}

/**
 * Writes the manifest of oclif, its description of each command. Without it, each run of the command line would derive
 * it from all commands, a sixth of the processor time of a short command.
 */
async function writeManifest() {
  const plugin = new Plugin({ root, type: 'core', isRoot: true, ignoreManifest: true, respectNoCacheDefault: true });
  await plugin.load();
  const commands = Object.fromEntries(plugin.commands.map(({ id }) => [id, plugin.manifest.commands[id]]));
  writeFileSync(manifest, JSON.stringify({ ...plugin.manifest, commands }));
}

const bundles = [
  ...Object.entries(services).map(([name, text]) => bundleOf({ [name]: text }, { codeSplitting: false })),
  bundleOf(shortRunning, { chunkFileNames: 'part-[name].cjs' }),
];

if (process.argv.includes('--watch')) {
  // The manifest would be out of date after the first change of a flag.
  rmSync(manifest, { force: true });
  watch(bundles).on('event', (event) => {
    if (event.code === 'BUNDLE_END') void event.result.close();
    if (event.code === 'END') process.stdout.write('The programs are up to date.\n');
    if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`);
  });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'];
  spawn(process.execPath, [compiler, ...args], { cwd: root, stdio: 'inherit' });
} else {
  const written = new Set(['LICENSES.txt']);
  for (const bundle of bundles) for (const { fileName } of (await build(bundle)).output) written.add(fileName);
  writeLicences();
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name));
  await writeManifest();
}
