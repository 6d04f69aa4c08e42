import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEngine, freePort } from './engines.js';
import { eventually } from './eventually.js';
import { isRequired } from './services.js';

/** Path as `.ci/run` builds it below `$PARLEY_ENGINES`. */
const path = 'kubo-0.36.0/ipfs';
const program = findEngine('ipfs', path);

/** Whether tests that need Kubo are skipped, because it is missing and not required. */
export const hasNoKubo = program === undefined && !isRequired('kubo');

/** A running Kubo without peers, on loopback. */
export interface Kubo {
  readonly api: string;
  readonly gateway: string;
  kill(): Promise<void>;
  /** Starts it again after `kill`, with its data. */
  restart(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts Kubo with an empty repository; `settings` are members of its configuration. */
export async function startKubo(settings: Readonly<Record<string, unknown>> = {}): Promise<Kubo> {
  if (program === undefined) throw new Error(`No Kubo: put ipfs on PATH, or below $PARLEY_ENGINES as ${path}.`);
  const directory = mkdtempSync(join(tmpdir(), 'parley-kubo-'));
  const [apiPort, gatewayPort] = [await freePort(), await freePort()];
  const own = { HOME: directory, IPFS_PATH: directory, IPFS_TELEMETRY: 'off' };
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), ...own };
  execFileSync(program, ['init', '--empty-repo'], { env, stdio: 'ignore' });
  const file = join(directory, 'config');
  const config = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  const loopback = (port: number): string => `/ip4/127.0.0.1/tcp/${port}`;
  const quiet = {
    Addresses: { ...config['Addresses'], API: loopback(apiPort), Gateway: loopback(gatewayPort), Swarm: [] },
    Bootstrap: [],
    Discovery: { MDNS: { Enabled: false } },
    AutoTLS: { Enabled: false },
    Routing: { Type: 'none' },
  };
  writeFileSync(file, JSON.stringify({ ...config, ...quiet, ...settings }));
  let end: () => Promise<void>;
  const begin = async (): Promise<void> => {
    const child = spawn(program, ['daemon', '--offline'], { env, stdio: 'ignore' });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    end = () => (child.kill('SIGKILL'), ended);
    await eventually(async () => void (await fetch(`http://127.0.0.1:${gatewayPort}/`)));
  };
  await begin();
  return {
    api: `http://127.0.0.1:${apiPort}`,
    gateway: `http://127.0.0.1:${gatewayPort}`,
    kill: () => end(),
    restart: begin,
    async remove() {
      await end();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
