// Makes the programs, from the sources to dist/programs: to find and load a thousand modules one by one took two thirds
// of a start. They are CommonJS, because V8 keeps compiled code of scripts alone (bin/load.js). Outside stay what is
// compiled for its machine, and the engine of the chain. With --watch it makes them again after each change of a
// source, beside the compiler, which says what is wrong with it.
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
/** The folders of the packages that are part of a program. */
const packages = new Set();

/**
 * Programs that live long, and the thread of one, each in one file: a build takes nothing away that they would load
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

/** Programs that end soon: what only some of their work needs is in files beside them, and loaded with that work. */
const others = {
  cli: `export { main, programName } from './src/cli/main.ts';
    ${loadersOf('src/cli/commands')}`,
  commands: commandsOf('src/cli/commands'),
  task: `export { main } from './src/stack/tasks/main.ts';
    export { recordedLimits } from './src/domain/network/network-rules.ts';`,
  testing: `export * from './src/testing/testing.ts';`,
};

/**
 * Packages of dockerode for builds by BuildKit and engines over SSH, which no program uses: four times the rest. Those
 * of oclif for commands and plugins that are found by patterns, which it would load for every command.
 */
const unused = new Set(['@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs', 'ssh2', 'minimatch', 'tinyglobby']);

/** oclif sorts the commands at each start. The first comparison of a process by the rules of a language takes 12 ms. */
const ordering = {
  file: join('@oclif', 'core', 'lib', 'config', 'plugin.js'),
  code: '.sort((a, b) => a.id.localeCompare(b.id))',
};

/** The manifest has them in order already. @throws Error when a new version of oclif does this in another way */
function withoutOrdering(code) {
  if (!code.includes(ordering.code)) throw new Error(`${ordering.file} has no ${ordering.code}`);
  // No line moves, so the map stays as it is.
  return { code: code.replace(ordering.code, ''), map: null };
}

/** The programs by their names, each written as the module that it begins with. */
function bundleOf(programs, output) {
  const entry = (name) => join(root, `${name}.program.ts`);
  const texts = new Map(Object.entries(programs).map(([name, text]) => [entry(name), text]));
  return {
    input: Object.fromEntries(Object.keys(programs).map((name) => [name, entry(name)])),
    cwd: root,
    platform: 'node',
    external: ['sqlite3', 'hardhat', 'typescript'],
    // Packages name others that they use where those are installed.
    checks: { unresolvedImport: false, ineffectiveDynamicImport: false, eval: false },
    logLevel: 'warn',
    plugins: [
      {
        name: 'programs',
        resolveId: (id) => (texts.has(id) || unused.has(id) ? id : null),
        load: (id) => texts.get(id) ?? (unused.has(id) ? 'export default undefined;' : null),
        transform: (code, id) => (id.endsWith(ordering.file) ? withoutOrdering(code) : null),
        generateBundle(_, files) {
          for (const file of Object.values(files)) {
            if (file.type === 'chunk') for (const id of Object.keys(file.modules)) note(id);
            else if (file.fileName.endsWith('.map')) file.source = ownLines(file.source);
          }
        },
      },
    ],
    output: {
      dir: folder,
      format: 'cjs',
      // Node warns of an import in a script that was compiled before.
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

/** A source map of the lines of our sources and nothing else: a tenth of the whole. */
function ownLines(text) {
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

function note(id) {
  const [, found] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
  if (found !== undefined) packages.add(found);
}

/** The licences of all packages whose code is in the programs, as these licences ask for. */
function writeLicences() {
  const texts = [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(join(path, file), 'utf8').trim()}`;
    return `${name} ${version} (${license})${text}`;
  });
  const head = 'The programs beside this file contain code of these packages.';
  writeFileSync(join(folder, 'LICENSES.txt'), `${[head, ...texts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** The files of a folder of commands by their ids: an id is the path of its file. */
function filesById(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts'));
  return sources.map((file) => [file.replace(/\.ts$/, '').replaceAll('/', ':'), `./${folder}/${file}`]);
}

/** Makes the table by which the command line loads the one command that is called. */
function loadersOf(folder) {
  const entries = filesById(folder).map(([id, file]) => `'${id}': () => import('${file}')`);
  return `export const commands = { ${entries.join(', ')} };`;
}

/** Makes the table of all commands, of which oclif writes what it knows. */
function commandsOf(folder) {
  const files = filesById(folder);
  const imports = files.map(([, file], index) => `import c${index} from '${file}';`);
  const entries = files.map(([id], index) => `'${id}': c${index}`);
  return `${imports.join('\n')}\nexport const commands = { ${entries.join(', ')} };`;
}

/**
 * Writes what oclif knows of each command into a file: otherwise each run of the command line gathers it anew from all
 * commands, which is a sixth of the processor time of a short one.
 */
async function writeManifest() {
  const plugin = new Plugin({ root, type: 'core', isRoot: true, ignoreManifest: true, respectNoCacheDefault: true });
  await plugin.load();
  const commands = Object.fromEntries(plugin.commands.map(({ id }) => [id, plugin.manifest.commands[id]]));
  writeFileSync(manifest, JSON.stringify({ ...plugin.manifest, commands }));
}

const bundles = [
  ...Object.entries(services).map(([name, text]) => bundleOf({ [name]: text }, { codeSplitting: false })),
  bundleOf(others, { chunkFileNames: 'part-[name].cjs' }),
];

if (process.argv.includes('--watch')) {
  // It would be out of date with the first change of a flag.
  rmSync(manifest, { force: true });
  watch(bundles).on('event', (event) => {
    if (event.code === 'BUNDLE_END') void event.result.close();
    if (event.code === 'END') process.stdout.write('The programs are up to date.\n');
    if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`);
  });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const words = ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'];
  spawn(process.execPath, [compiler, ...words], { cwd: root, stdio: 'inherit' });
} else {
  const written = new Set(['LICENSES.txt']);
  for (const bundle of bundles) for (const { fileName } of (await build(bundle)).output) written.add(fileName);
  writeLicences();
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name));
  await writeManifest();
}
