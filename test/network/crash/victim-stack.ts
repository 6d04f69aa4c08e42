import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePortBase } from '../../support/port-base.js';
import { cacheFolder } from '../../support/cache-folder.js';

/** A process of the stack, identified by its pid and start time, so that a reused pid is never killed. */
export interface Victim {
  readonly name: string;
  readonly pid: number;
  readonly started: string;
}

/** A real stack with its own home directory, controlled by the command that users type. */
export interface VictimStack {
  readonly parties: readonly { readonly name: string; readonly url: string }[];
  readonly chainUrl: string;
  readonly storeUrl: string;
  /** Returns the victims that can be killed now: services with a process, and the supervisor. */
  victims(): Promise<readonly Victim[]>;
  /** Sends SIGKILL; returns false if the process was gone. */
  kill(victim: Victim): boolean;
  /** Runs `stack start`, which repairs whatever it finds. */
  start(): Promise<void>;
  /** Waits until every service is healthy. @throws Error after the time limit */
  healthy(withinMs: number): Promise<void>;
  /** The home directory. */
  readonly home: string;
  readonly files: string;
  /** Stops the stack, or the node of one party, and leaves the files. */
  stop(party?: string): Promise<void>;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const name = 'crash';
const commandTimeoutMs = 120_000;

/** `root` is the folder of the package, which must be built. */
export async function createVictimStack(root: string, parties = '3'): Promise<VictimStack> {
  const home = await mkdtemp(join(tmpdir(), 'parley-crash-'));
  const files = join(home, '.local/share/parley/stacks', name);
  const stateFile = join(files, 'run/state.json');
  const environment = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: tmpdir(), XDG_CACHE_HOME: cacheFolder };

  async function stack(...words: string[]): Promise<string> {
    const words_ = [join(root, 'bin/run.js'), ...words];
    const { stdout } = await run(process.execPath, words_, {
      env: environment,
      cwd: home,
      timeout: commandTimeoutMs,
      maxBuffer: 16 * 1_024 * 1_024,
    });
    return stdout;
  }

  async function readState(): Promise<State> {
    return JSON.parse(await readFile(stateFile, 'utf8')) as State;
  }

  await stack('init', name, '--port-base', await freePortBase(), '--parties', parties);
  await stack('start', name);
  const { services } = await readState();
  const urlOf = (kind: string): string => services.find((service) => service.kind === kind)?.url ?? '';
  /** Processes that were killed: the supervisor's file calls them healthy until it notices. */
  const killed = new Set<string>();

  return {
    parties: services
      .filter(({ kind }) => kind === 'node')
      .map((service) => ({ name: service.name, url: service.url ?? '' })),
    chainUrl: urlOf('chain'),
    storeUrl: urlOf('store'),
    async victims() {
      const state = await readState();
      const living = state.services.flatMap(({ name: service, type, identity }) =>
        identity === null || type !== 'service' ? [] : [{ name: service, ...identity }],
      );
      return [...living, { name: 'supervisor', ...state.identity }];
    },
    kill({ pid, started }) {
      if (startOf(pid) !== started) return false;
      process.kill(pid, 'SIGKILL');
      killed.add(wordOf({ pid, started }));
      return true;
    },
    home,
    files,
    async start() {
      await stack('start', name);
    },
    async stop(party) {
      await stack('stop', name, ...(party === undefined ? [] : ['--party', party]));
    },
    async healthy(withinMs) {
      const deadlineMs = performance.now() + withinMs;
      for (;;) {
        const state = await readState();
        const ill = illOf(state, killed);
        if (ill.length === 0) return;
        if (performance.now() > deadlineMs) throw new Error(`not healthy after ${withinMs} ms: ${ill.join(', ')}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async remove() {
      await stack('remove', name, '--yes');
      await rm(home, { recursive: true, force: true });
    },
  };
}

interface Identity {
  readonly pid: number;
  readonly started: string;
}

/** Returns a text that distinguishes a process from a later one with the same number. */
function wordOf({ pid, started }: Identity): string {
  return `${pid} ${started}`;
}

interface State {
  readonly identity: Identity;
  readonly services: readonly {
    readonly name: string;
    readonly type: string;
    readonly kind: string;
    readonly state: string;
    readonly url: string | null;
    readonly identity: Identity | null;
  }[];
}

/** Returns the names of the processes that are not healthy, or were killed. */
function illOf({ services, identity: supervisor }: State, killed: ReadonlySet<string>): string[] {
  const isKilled = (identity: Identity | null) => identity !== null && killed.has(wordOf(identity));
  const ill = services.filter(
    ({ type, state, identity }) => type === 'service' && (state !== 'healthy' || isKilled(identity)),
  );
  const isKept = startOf(supervisor.pid) === supervisor.started && !isKilled(supervisor);
  return [...ill.map(({ name: service }) => service), ...(isKept ? [] : ['supervisor'])];
}

/** Returns the start time of a process, in ticks since boot: the 20th field after its name. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    // The process is gone.
    return undefined;
  }
}
