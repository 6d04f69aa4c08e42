#!/usr/bin/env node
// The tasks of npm scripts in a clone, such as `npm run quickstart` and `npm test`: it installs missing packages,
// repeats stale builds and then runs the task. It imports only modules of Node, because node_modules may not exist yet.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { all, staleBuilds, toRun } from './builds.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);
const oldestNode = [20, 19];
const quickstart = 'quickstart';

/** The tasks by the first argument of bin/setup.js; each resolves with an exit code. */
const tasks = {
  /**
   * Installs, builds, and shows a network of three parties: a message that all of them confirm, a private message
   * between two, and tokens that all see.
   */
  async quickstart() {
    await prepare(toRun);
    const here = ['-s', quickstart];
    const steps = [
      ['init', quickstart, '--if-missing'],
      ['start', quickstart],
      ['broadcast', '{"hello":"world"}', '--wait', 'all', ...here],
      ['send', 'only for bob', '--to', 'bob', '--wait', 'all', ...here],
      () => showPrivacy(here),
      () => showTokens(here),
      ['status', quickstart],
    ];
    for (const step of steps) {
      const code = await (typeof step === 'function' ? step() : show(step));
      if (code !== 0) return code;
    }
    print(nextCommands);
    return 0;
  },
  /** Installs, builds, and runs all tests except the long ones, or those that the arguments select for vitest. */
  async test(args) {
    await prepare();
    const isSelected = args.some((arg) => arg.startsWith('--project') || !arg.startsWith('-'));
    const selected = isSelected ? args : ['--project=!long*', ...args];
    return run(process.execPath, [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', ...selected]);
  },
  /** Installs, and builds what the programs need at run time. */
  async programs() {
    await prepare(toRun);
    return 0;
  },
  /** Installs and builds whatever is missing or stale. */
  async build() {
    await prepare();
    return 0;
  },
  /**
   * Makes `npx --no stack` find the program of this clone. npm runs it at the end of every install. npm packs its clone
   * of a git dependency directly after that, so there it also builds.
   */
  async link() {
    linkPrograms();
    return isGitDependency() ? tasks.build() : 0;
  },
};

const nextCommands = `
The network keeps running. Try:
  npx --no stack events tail --all-parties -s ${quickstart}   # here, then broadcast from another shell
  npx --no stack broadcast '{"n":1}' -s ${quickstart}
  npx --no stack send 'see the file' -f README.md --to bob,carol -s ${quickstart}
  npx --no stack transfer 5 --to carol --message 'for the coffee' --message-to carol -p bob -s ${quickstart}
  npx --no stack logs alice -f -s ${quickstart}
  npx --no stack stop ${quickstart}                           # start brings everything back
  npx --no stack remove ${quickstart}`;

/** Whether npm prepares this clone as a git dependency; npm sets this variable only then. */
function isGitDependency() {
  return process.env['_PACOTE_NO_PREPARE_'] !== undefined;
}

/** Prints a command of the command line, and runs it. */
function show(args) {
  print(`\n$ npx --no stack ${args.map(quoted).join(' ')}`);
  return run(process.execPath, [inRoot('bin', 'run.js'), ...args]);
}

/** Shows who has the newest private message, and checks that the node of the third party does not have it. */
async function showPrivacy(here) {
  const ask = (...args) => capture(process.execPath, [inRoot('bin', 'run.js'), ...args, ...here]);
  const newest = await ask('messages', 'list', '--type', 'private', '--limit', '1', '-q');
  const id = newest.output.trim();
  const code = await show(['messages', 'get', id, '--party', 'all', ...here]);
  if (code !== 0) return code;
  const [bob, carol] = await Promise.all(['bob', 'carol'].map((party) => ask('messages', 'get', id, '-p', party)));
  if (bob.code !== 0 || carol.code !== notFound) {
    throw new Error(`The private message should be at bob and not at carol.\n${bob.output}\n${carol.output}`);
  }
  print('Only alice and bob have the private message. The node of carol answers 404: not found.');
  return 0;
}

/** Creates a token pool if there is none, and mints tokens, which every party sees. */
async function showTokens(here) {
  const known = await capture(process.execPath, [inRoot('bin', 'run.js'), 'pool', 'get', 'coins', '-q', ...here]);
  if (known.code === notFound) {
    const code = await show(['pool', 'create', 'coins', '--type', 'fungible', '--wait', 'all', ...here]);
    if (code !== 0) return code;
  }
  const code = await show(['mint', '100', '--pool', 'coins', '--to', 'bob', '--wait', 'all', ...here]);
  return code === 0 ? show(['balances', '-p', 'carol', ...here]) : code;
}

/** The exit code of a command whose subject does not exist. */
const notFound = 3;

/** Installs missing packages, and repeats stale ones of the named builds in parallel. */
async function prepare(names = all) {
  refuseOldNode();
  if (isInstallStale()) await step('Installing packages (once)', install);
  linkPrograms();
  const builds = staleBuilds({ root, compile: runScript, names });
  if (!existsSync(inRoot(driver))) builds.unshift({ name: 'the database driver', run: compileDriver });
  if (builds.length > 0) await step(`Building ${listed(builds.map(({ name }) => name))}`, () => runAll(builds));
}

/** Runs builds in parallel. When all have ended, it throws the error of the first one that failed. */
async function runAll(builds) {
  const ends = await Promise.allSettled(builds.map(({ run: build }) => build()));
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function listed(names) {
  const last = names.at(-1);
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new Error(
    `Node ${oldestNode.join('.')} or newer is needed; this is ${process.versions.node}. See https://nodejs.org.`,
  );
}

/**
 * Whether a package of the lockfile is missing or has another version. Optional packages may be missing, since some are
 * for other systems.
 */
function isInstallStale() {
  const installed = packagesIn(inRoot('node_modules', '.package-lock.json'));
  if (installed === undefined) return true;
  return Object.entries(packagesIn(inRoot('package-lock.json')) ?? {}).some(([path, wanted]) => {
    if (path === '') return false;
    return installed[path] === undefined ? wanted.optional !== true : installed[path].version !== wanted.version;
  });
}

function packagesIn(lockfile) {
  return existsSync(lockfile) ? JSON.parse(readFileSync(lockfile, 'utf8')).packages : undefined;
}

/**
 * Installs packages without their scripts: that of the database driver may compile for a minute, parallel to builds.
 */
async function install() {
  const { code, output } = await capture('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (code !== 0) throw new Error(`npm ci failed with exit code ${code}.\n${lastLines(output)}`);
}

const driver = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** Runs the script of the one package that needs it (`allowScripts` of package.json). */
async function compileDriver() {
  // Without a prebuilt file it compiles, here on all cores, and without a download if Node's headers are installed.
  const headers = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(headers, 'include', 'node', 'node.h'));
  const env = { JOBS: 'max', ...(hasHeaders && { npm_config_nodedir: headers }), ...process.env };
  const { code, output } = await capture('npm', ['rebuild', 'sqlite3'], env);
  if (code === 0 && existsSync(inRoot(driver))) return;
  const hint = 'If there is no prebuilt sqlite3 for this machine, compiling it needs python3, make and a C++ compiler.';
  throw new Error(`npm rebuild sqlite3 failed with exit code ${code}.\n${lastLines(output)}\n${hint}`);
}

/** Creates links in node_modules/.bin: without them, npx would install this package into its cache. */
function linkPrograms() {
  const folder = inRoot('node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  const { bin } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  for (const [name, path] of Object.entries(bin)) {
    rmSync(join(folder, name), { force: true });
    symlinkSync(relative(folder, inRoot(path)), join(folder, name));
  }
}

/** Runs a script. @throws Error with the end of its output if it fails */
async function runScript(args) {
  const { code, output } = await capture(process.execPath, args);
  if (code !== 0) throw new Error(`The build failed.\n${lastLines(output)}`);
}

async function step(title, work) {
  process.stdout.write(`${title} ... `);
  const startedMs = performance.now();
  try {
    await work();
    print(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  } catch (error) {
    print('failed');
    throw error;
  }
}

/**
 * Runs a program in the foreground and passes signals on to it. Resolves with its exit code, 128 + n after a signal.
 */
function run(program, args) {
  return exitCodeOf(spawn(program, args, { cwd: root, stdio: 'inherit' }));
}

async function capture(program, args, env = process.env) {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const code = await exitCodeOf(child);
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}

function exitCodeOf(child) {
  // A terminal sends Ctrl-C to the child, too.
  const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 };
  const forward = (signal) => signal !== 'SIGINT' && child.kill(signal);
  for (const signal of Object.keys(numbers)) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of Object.keys(numbers)) process.off(name, forward);
      resolve(code ?? 128 + (numbers[signal] ?? 9));
    });
  });
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-40).join('\n');
}

function quoted(word) {
  return /^[\w./:-]+$/.test(word) ? word : `'${word}'`;
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name ?? '')) {
  process.stderr.write(`Usage: node bin/setup.js ${Object.keys(tasks).join('|')}\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await tasks[name](args);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
