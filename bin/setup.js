#!/usr/bin/env node
// Stands behind the two commands of a fresh clone, `npm run quickstart` and `npm test`: it installs what is missing,
// builds what is stale and then does the task. It imports nothing but what Node brings, because node_modules may not be
// there yet.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { all, staleBuilds, toRun } from './builds.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const inRoot = (...parts) => join(root, ...parts);
const oldestNode = [20, 19];
const quickstart = 'quickstart';

/** Every task, by the word that follows `node bin/setup.js`; each resolves with an exit code. */
const tasks = {
  /**
   * Installs, builds, and shows a three-party network: a message that all parties confirm, one that only two of them
   * ever see, and tokens that all see.
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
    say(nextCommands);
    return 0;
  },
  /**
   * Installs, builds and runs every test but the long ones, or those that the arguments choose as vitest understands
   * them.
   */
  async test(words) {
    await prepare();
    // A project or file that is named is meant.
    const isChosen = words.some((word) => word.startsWith('--project') || !word.startsWith('-'));
    const chosen = isChosen ? words : ['--project=!long*', ...words];
    return run(process.execPath, [inRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', ...chosen]);
  },
  /** Installs, and builds what runs. */
  async programs() {
    await prepare(toRun);
    return 0;
  },
  /** Installs and builds, and leaves what is fresh as it is. */
  async build() {
    await prepare();
    return 0;
  },
  /**
   * Makes `npx --no stack` find the program of this clone. npm calls it at the end of every install; of a dependency
   * from git it packs its own clone right behind that, without another word, so there it builds too.
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

/** Whether npm prepares this clone for whoever depends on the repository: it names the ones that it prepares. */
function isGitDependency() {
  return process.env['_PACOTE_NO_PREPARE_'] !== undefined;
}

/** Runs a command of ours as if it had been typed. */
function show(words) {
  say(`\n$ npx --no stack ${words.map(quoted).join(' ')}`);
  return run(process.execPath, [inRoot('bin', 'run.js'), ...words]);
}

/** Shows who has the newest private message, and makes sure: the third party's node must say that there is none. */
async function showPrivacy(here) {
  const ask = (...words) => capture(process.execPath, [inRoot('bin', 'run.js'), ...words, ...here]);
  const newest = await ask('messages', 'list', '--type', 'private', '--limit', '1', '-q');
  const id = newest.output.trim();
  const code = await show(['messages', 'get', id, '--party', 'all', ...here]);
  if (code !== 0) return code;
  const [bob, carol] = await Promise.all(['bob', 'carol'].map((party) => ask('messages', 'get', id, '-p', party)));
  if (bob.code !== 0 || carol.code !== notFound) {
    throw new Error(`The private message is not where it should be.\n${bob.output}\n${carol.output}`);
  }
  say("The private message went from alice to bob alone: carol's node has no byte of it, and answers 404: not found.");
  return 0;
}

/** Shows a pool, made once, and what is minted of it, which every party records. */
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

/** Installs what is missing and builds what is stale of the named builds, side by side. */
async function prepare(names = all) {
  refuseOldNode();
  if (isInstallStale()) await step('Installing packages (once)', install);
  linkPrograms();
  const builds = staleBuilds({ root, compile: mustEndWell, names });
  if (!existsSync(inRoot(driver))) builds.unshift({ name: 'the driver of the database', run: compileDriver });
  if (builds.length > 0) await step(`Building ${listed(builds.map(({ name }) => name))}`, () => allDone(builds));
}

/** Runs builds at once. @throws the error of the first that fails, when all have ended */
async function allDone(builds) {
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
 * Whether a package of the lockfile is absent or of another version. What is optional may be absent: it is for other
 * systems.
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

/** The scripts of packages wait: that of the driver may compile for a minute, beside which all else is built. */
async function install() {
  const { code, output } = await capture('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (code !== 0) throw new Error(`npm ci ended with code ${code}.\n${lastLines(output)}`);
}

const driver = join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** Runs the script of the one package that needs it (`allowScripts` of package.json). */
async function compileDriver() {
  // It compiles where it finds no prebuilt file, on all cores; with the headers that came with Node that needs no
  // download.
  const headers = dirname(dirname(process.execPath));
  const hasHeaders = existsSync(join(headers, 'include', 'node', 'node.h'));
  const env = { JOBS: 'max', ...(hasHeaders && { npm_config_nodedir: headers }), ...process.env };
  const { code, output } = await capture('npm', ['rebuild', 'sqlite3'], env);
  if (code === 0 && existsSync(inRoot(driver))) return;
  const hint = 'Where there is no prebuilt file of sqlite3, it needs python3, make and a C++ compiler.';
  throw new Error(`npm rebuild sqlite3 ended with code ${code}.\n${lastLines(output)}\n${hint}`);
}

/** Links in node_modules/.bin: without them npx would install this very package into its cache. */
function linkPrograms() {
  const folder = inRoot('node_modules', '.bin');
  mkdirSync(folder, { recursive: true });
  const { bin } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  for (const [name, path] of Object.entries(bin)) {
    rmSync(join(folder, name), { force: true });
    symlinkSync(relative(folder, inRoot(path)), join(folder, name));
  }
}

/** Runs a script, whose output is shown when it fails. */
async function mustEndWell(words) {
  const { code, output } = await capture(process.execPath, words);
  if (code !== 0) throw new Error(`The build failed.\n${lastLines(output)}`);
}

async function step(title, work) {
  process.stdout.write(`${title} ... `);
  const startedMs = performance.now();
  try {
    await work();
    say(`${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  } catch (error) {
    say('failed');
    throw error;
  }
}

/**
 * Runs a program in the foreground; a signal to us ends it first. Resolves with its exit code, 128 + n after a signal.
 */
function run(program, words) {
  return ended(spawn(program, words, { cwd: root, stdio: 'inherit' }));
}

async function capture(program, words, env = process.env) {
  const child = spawn(program, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  const code = await ended(child);
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}

function ended(child) {
  // A terminal sends Ctrl-C to the child too: it decides how to end, we wait for it.
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

function say(text) {
  process.stdout.write(`${text}\n`);
}

const [name, ...words] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name ?? '')) {
  process.stderr.write(`Usage: node bin/setup.js ${Object.keys(tasks).join('|')}\n`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await tasks[name](words);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
