import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
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

/** A running server on loopback with its own data directory. */
export interface PostgresServer {
  readonly port: number;
  /** The URL of a database, by default with the server owner's credentials. */
  url(database?: string, credentials?: string): string;
  address(database?: string): PostgresAddress;
  ask(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Kills the server with all its processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its directory. */
  stop(): Promise<void>;
}

const password = 'correct-horse';

/** Starts a server whose user `parley` owns everything, with the settings of Debian's package. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const programs = findPrograms();
  if (programs === undefined) throw new Error('No PostgreSQL: install Debian’s package postgresql.');
  const directory = mkdtempSync(join(tmpdir(), 'postgres-'));
  // The programs refuse to run as root.
  const identity = process.getuid?.() === 0 ? ownIdentity() : undefined;
  if (identity !== undefined) chownSync(directory, identity.uid, identity.gid);
  const data = join(directory, 'data');
  const passwordFile = join(directory, 'password');
  writeFileSync(passwordFile, password);
  chmodSync(passwordFile, 0o644);
  const options = ['-D', data, '-U', 'parley', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8'];
  const made = spawnSync(join(programs, 'initdb'), [...options, '--no-locale', '-N'], { ...identity, cwd: directory });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr.toString()}`);
  const port = await freePort();
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();

  const url = (database = 'postgres', credentials = `parley:${password}`): string =>
    `postgres://${credentials}@127.0.0.1:${port}/${database}`;
  const address = (database?: string): PostgresAddress => parsePostgresAddress(url(database));

  async function ask(sql: string, database?: string): Promise<Record<string, unknown>[]> {
    const client = await connectPostgres(address(database));
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  function launch(): void {
    const words = ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'];
    const all = [...words, '-c', `unix_socket_directories=${directory}`, ...settings];
    const started = spawn(join(programs ?? '', 'postgres'), all, { ...identity, cwd: directory, stdio: 'ignore' });
    child = started;
    ended = new Promise((resolve) => started.once('exit', () => resolve()));
  }

  async function start(): Promise<void> {
    launch();
    await eventually(() => {
      // A process of a killed server, born while it was killed, may hold the memory for a moment: a start is refused.
      if (child?.exitCode !== null) launch();
      return ask('select 1');
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
    port,
    url,
    address,
    ask,
    start,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGINT');
      rmSync(directory, { recursive: true });
    },
  };
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
