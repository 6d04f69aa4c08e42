import { type ChildProcess, spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePostgresAddress, type PostgresAddress } from '../../src/postgres/address.js';
import { connectPostgres } from '../../src/postgres/connect.js';
import { eventually } from './eventually.js';
import { oncePerRun } from './once-per-run.js';
import { isRequired } from './services.js';

/** Finds the newest PostgreSQL as installed by Debian; undefined if missing. */
function findPrograms(): string | undefined {
  const folder = '/usr/lib/postgresql';
  if (!existsSync(folder)) return undefined;
  const versions = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'bin', 'initdb')));
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  return newest === undefined ? undefined : join(folder, String(newest), 'bin');
}

/** Whether tests that need PostgreSQL are skipped, because it is missing and not required. */
export const hasNoPostgres = findPrograms() === undefined && !isRequired('postgres');

/** A running server on loopback, as its clients see it. */
export interface PostgresAccess {
  readonly port: number;
  /** The URL of a database, by default with the server owner's credentials. */
  url(database?: string, credentials?: string): string;
  address(database?: string): PostgresAddress;
  ask(sql: string, database?: string): Promise<Record<string, unknown>[]>;
}

/** A server with its own data directory, which a test may kill. */
export interface PostgresServer extends PostgresAccess {
  /** Kills the server with all its processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

const password = 'correct-horse';

/**
 * Returns the server that all tests of a run share. Each test uses its own schemas (`newSchema`). The server is started
 * on first use, and ends with the run.
 */
export async function sharedPostgres(): Promise<PostgresAccess> {
  return accessTo(Number(await oncePerRun('postgres', startShared)));
}

/** Returns a name for a schema that no other test of the run has. */
export function newSchema(): string {
  return `node_${randomUUID().replaceAll('-', '')}`;
}

async function startShared(): Promise<string> {
  const directory = await newCluster();
  const access = accessTo(await freePort());
  // Nothing is synced, since a run is repeated if the machine fails. Two files at a time have a dozen nodes each.
  const child = launch(directory, access.port, ['-c', 'fsync=off', '-c', 'max_connections=400']);
  // The server outlives the process that started it.
  child.unref();
  await eventually(() => access.ask('select 1'));
  return String(access.port);
}

/** Starts a server for one test or file, with the settings of Debian's package. Its user `parley` owns everything. */
export async function startPostgres(): Promise<PostgresServer> {
  const directory = await newCluster();
  const access = accessTo(await freePort());
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();

  function begin(): void {
    const started = launch(directory, access.port, []);
    child = started;
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
  }

  async function start(): Promise<void> {
    begin();
    await eventually(() => {
      // A process that a killed server was forking may keep the shared memory for a moment, in which a start is
      // refused.
      if (child?.exitCode !== null) begin();
      return access.ask('select 1');
    });
  }

  /** Ends the main process; its children exit on their own, or are killed with it. */
  async function end(signal: NodeJS.Signals): Promise<void> {
    const main = child?.pid;
    if (main === undefined) return;
    const children = signal === 'SIGKILL' ? childrenOf(main) : [];
    child?.kill(signal);
    for (const each of children) killIfThere(each);
    await ended;
    child = undefined;
  }

  await start();
  return {
    ...access,
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGINT');
      rmSync(directory, { recursive: true });
    },
  };
}

function accessTo(port: number): PostgresAccess {
  const url = (database = 'postgres', credentials = `parley:${password}`): string =>
    `postgres://${credentials}@127.0.0.1:${port}/${database}`;
  const address = (database?: string): PostgresAddress => parsePostgresAddress(url(database));
  return {
    port,
    url,
    address,
    async ask(sql, database) {
      const client = await connectPostgres(address(database));
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
  };
}

/** Starts the server of a directory, detached, so that Ctrl-C in a terminal does not reach it. */
function launch(directory: string, port: number, settings: readonly string[]): ChildProcess {
  const words = ['-D', join(directory, 'data'), '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
  const all = [...words, '-c', `unix_socket_directories=${directory}`, ...settings];
  return spawn(program('postgres'), all, { ...identity(), cwd: directory, stdio: 'ignore', detached: true });
}

/** Makes a directory with a copy of a new server's data, because initialising it takes longer than everything else. */
async function newCluster(): Promise<string> {
  const template = await oncePerRun('postgres-template', initialise);
  const directory = ownDirectory();
  // `-a` keeps owners and modes.
  run('cp', ['-a', template, join(directory, 'data')]);
  return directory;
}

async function initialise(): Promise<string> {
  const directory = ownDirectory();
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, password);
  chmodSync(passwordFile, 0o644);
  const data = join(directory, 'data');
  const options = ['-D', data, '-U', 'parley', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8'];
  run(program('initdb'), [...options, '--no-locale', '-N'], { ...identity(), cwd: directory });
  return data;
}

function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postgres-'));
  const owner = identity();
  if (owner !== undefined) chownSync(directory, owner.uid, owner.gid);
  return directory;
}

function program(name: string): string {
  const folder = findPrograms();
  if (folder === undefined) throw new Error('No PostgreSQL: install Debian’s package postgresql.');
  return join(folder, name);
}

function run(file: string, words: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, stderr, error } = spawnSync(file, words, options);
  if (status !== 0) throw new Error(`${file}: ${error?.message ?? String(stderr)}`);
}

/** The user that runs the programs, which refuse to run as root; undefined for the user of this process. */
function identity(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? ownIdentity() : undefined;
}

/** The user of Debian's package, or else `nobody`. */
function ownIdentity(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = users.find((line) => line.startsWith('postgres:'))?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const place = server.address();
      server.close(() => resolve(typeof place === 'object' && place !== null ? place.port : 0));
    });
  });
}
