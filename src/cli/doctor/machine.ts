import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { requireSocketPlace } from '../../stack/control/control-socket.js';
import { requireEngine } from '../../stack/engines/container-engine.js';
import { driverRemedy } from '../../stack/engines/sqlite.js';
import { StackError } from '../../stack/error.js';
import { layoutOf, packageFile, type Place, stackDirectory } from '../../stack/layout.js';
import { isFree } from '../../stack/ports/free-port.js';
import { existingPart } from '../../stack/places/existing-part.js';
import { runNode } from '../child.js';
import { writeProblem } from '../errors/file-problem.js';
import { safe, sizeOf } from '../terminal/text.js';

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  readonly remedy?: string | undefined;
}

/** Checks what a stack needs of this machine. */
export function checkMachine(place: Place): Promise<readonly Check[]> {
  return Promise.all([
    checkNode(),
    checkSqlite(),
    checkHome(place),
    checkSockets(place),
    checkPorts(),
    checkDisk(place),
    checkLimits(),
    checkClock(),
    checkDocker(place),
  ]);
}

/** The first version of each release line without known relevant vulnerabilities. */
const safeVersions: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  20: [20, 2],
  22: [22, 2],
  24: [14, 1],
};

function checkNode(): Promise<Check> {
  return Promise.resolve(nodeCheck(process.versions.node));
}

export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [safeMinor, safePatch] = safeVersions[major] ?? [0, 0];
  const isSafe = minor > safeMinor || (minor === safeMinor && patch >= safePatch);
  const text = `Node.js ${version}`;
  if (isSafe) return { name: 'node', state: 'ok', text };
  return {
    name: 'node',
    state: 'warn',
    text: `${text} has known vulnerabilities`,
    remedy: `Install ${major}.${safeMinor}.${safePatch} or newer.`,
  };
}

const openDatabase = `new (require('sqlite3').Database)(':memory:', (error) => process.exit(error ? 1 : 0))`;

async function checkSqlite(): Promise<Check> {
  const problem = await runNode(['-e', openDatabase], dirname(packageFile('package.json')));
  if (problem === undefined) return { name: 'sqlite3', state: 'ok', text: 'the driver opens a database' };
  return {
    name: 'sqlite3',
    state: 'fail',
    text: `the driver cannot open a database: ${safe(problem)}`,
    remedy: driverRemedy,
  };
}

/** Checks that stacks can be created in the home directory, which may not exist yet. */
export async function checkHome({ home }: Pick<Place, 'home'>): Promise<Check> {
  const name = 'home';
  const directory = await existingPart(home);
  try {
    await access(`${directory}/.`, constants.W_OK | constants.X_OK);
    return { name, state: 'ok', text: home };
  } catch (cause) {
    const text = `${directory} cannot be written: ${writeProblem(cause)}`;
    const remedy = 'Change its permissions, or set STACK_HOME to another directory.';
    return { name, state: 'fail', text, remedy };
  }
}

async function checkSockets(place: Place): Promise<Check> {
  const name = 'sockets';
  try {
    await requireSocketPlace(layoutOf(stackDirectory(place, 'dev'), place));
    return { name, state: 'ok', text: place.runtimeDirectory };
  } catch (error) {
    if (!(error instanceof StackError)) throw error;
    return { name, state: 'fail', text: error.message, remedy: error.hint };
  }
}

const [firstPort, lastPort] = [16_000, 16_099];

async function checkPorts(): Promise<Check> {
  const all = Array.from({ length: lastPort - firstPort + 1 }, (_, index) => firstPort + index);
  const free = (await Promise.all(all.map((port) => isFree(port)))).filter(Boolean).length;
  const text = `${free} of ${all.length} free from ${firstPort} to ${lastPort}; stacks may use ports up to 32700`;
  return { name: 'ports', state: 'ok', text };
}

const [tooLittleBytes, littleBytes] = [268_435_456, 1_073_741_824];

async function checkDisk({ home }: Place): Promise<Check> {
  const { bavail, bsize } = await statfs(await existingPart(home));
  const freeBytes = bavail * bsize;
  const text = `${sizeOf(freeBytes)} free for ${home}`;
  if (freeBytes >= littleBytes) return { name: 'disk', state: 'ok', text };
  const state = freeBytes < tooLittleBytes ? 'fail' : 'warn';
  return { name: 'disk', state, text, remedy: 'Free some space: a start needs 256 MiB (limits.minFreeDisk).' };
}

const [minOpenFiles, minInstances] = [1_024, 128];

/** Checks system limits: open files, and on Linux the inotify instances with which tools detect changed files. */
async function checkLimits(): Promise<Check> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const openFiles = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
  const instances = Number(await readFile('/proc/sys/fs/inotify/max_user_instances', 'utf8').catch(() => 'NaN'));
  const known = (count: number) => (Number.isNaN(count) ? 'unknown' : String(count));
  const text = `${known(openFiles)} open files, ${known(instances)} inotify instances`;
  if (openFiles < minOpenFiles) {
    return { name: 'limits', state: 'warn', text, remedy: `ulimit -n ${minOpenFiles * 4}` };
  }
  if (instances < minInstances) {
    return { name: 'limits', state: 'warn', text, remedy: 'sudo sysctl fs.inotify.max_user_instances=512' };
  }
  return { name: 'limits', state: 'ok', text };
}

const dayMs = 86_400_000;

/** Checks that the clock is not earlier than the installation of this program. */
async function checkClock(): Promise<Check> {
  const now = Date.now();
  const { mtimeMs } = await stat(packageFile('package.json'));
  const text = new Date(now).toISOString();
  if (now > mtimeMs - dayMs) return { name: 'clock', state: 'ok', text };
  return {
    name: 'clock',
    state: 'warn',
    text: `${text} is earlier than the installation of this program`,
    remedy: 'Set the clock.',
  };
}

/** Checks the container engine, which only stacks with `runtime: docker` need. */
async function checkDocker({ engine = {} }: Place): Promise<Check> {
  try {
    const { title, url } = await requireEngine(engine);
    return { name: 'docker', state: 'ok', text: safe(`${title} answers at ${url}`) };
  } catch (error) {
    if (!(error instanceof StackError)) throw error;
    return { name: 'docker', state: 'ok', text: 'not available; needed only for runtime: docker' };
  }
}
