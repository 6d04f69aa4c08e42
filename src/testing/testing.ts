import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientAccess, stackAccess } from '../cli/requests/credentials.js';
import { createOutput } from '../cli/terminal/output.js';
import { afterStart } from '../cli/stack/starting/after-start.js';
import { idleCheck } from '../cli/stack/watching/wait-for.js';
import { createEphemeral } from '../stack/cleaning/ephemeral.js';
import { placeFrom } from '../stack/layout.js';
import { loadStack, type Stack } from '../stack/places/locate.js';
import { restoreSnapshot } from '../stack/snapshot/restoring/restore.js';
import { saveSnapshot } from '../stack/snapshot/saving/save.js';
import { defaultStartMs } from '../stack/running/start-options.js';
import { stackStatus } from '../stack/status.js';
import { sweepEphemerals } from '../stack/cleaning/sweep.js';
import { testEnvironment } from './config.js';
import { untilConfirmed } from './confirmed.js';
import { withoutDeleted } from './failure.js';
import { createLifetime } from './lifetime.js';
import { limitOf } from './limits.js';
import { createParty, type TestParty } from './party.js';
import { settingsOf, type SettingValues } from './settings.js';

export interface CreateStackOptions {
  /** A template's name, or the path of its directory. Default: the nearest `stack.yaml` upwards, else `default`. */
  readonly template?: string;
  /** Default: those of the template. */
  readonly parties?: readonly string[];
  /** Settings of `stack.yaml` by their dotted paths, such as `{ 'logs.level': 'debug', namespaces: ['a', 'b'] }`. */
  readonly settings?: SettingValues;
  /** Milliseconds that the start may take without progress of a service; 0 = no limit. Default: 60000. */
  readonly timeoutMs?: number;
}

export interface ConfirmedOptions {
  /** Names of the parties that must have confirmed it. Default: all. */
  readonly parties?: readonly string[];
  /** Milliseconds. Default: 10000. */
  readonly within?: number;
}

/** A saved state of a stack. */
export interface StackSnapshot {
  readonly name: string;
  readonly block: number;
}

/** A running network for tests. */
export interface TestStack extends AsyncDisposable {
  readonly name: string;
  /** Names of its parties, in their order. */
  readonly parties: readonly string[];
  /** Variables by which other programs, and `joinStack` elsewhere, find it: `STACK_NAME`, `STACK_ALICE_URL`. */
  readonly environment: Readonly<Record<string, string>>;
  /** A party by its name. @throws Error for a name that there is not */
  party(name: string): TestParty;
  /** Saves the state of the whole network, for `restore`. */
  snapshot(): Promise<StackSnapshot>;
  /** Brings the whole network back to a state. Addresses stay the same; open sockets are closed. */
  restore(snapshot: StackSnapshot): Promise<void>;
  /** Waits until nothing is on its way at any party. @throws Error when the time is over (default: 30000 ms) */
  idle(options?: { readonly within?: number }): Promise<void>;
  /**
   * Waits until a message, or the message of this id, is confirmed.
   *
   * @throws Error that names each party and what it has, when one rejects it or the time is over
   */
  expectConfirmed(
    message: string | { readonly header: { readonly id: string } },
    options?: ConfirmedOptions,
  ): Promise<void>;
  /**
   * Ends and deletes it, after a snapshot or restore in progress; one that was joined goes on. The same as leaving the
   * block of `await using`.
   */
  stop(): Promise<void>;
}

/**
 * Makes and starts a network that exists for this process alone: it is in no list, its ports are free ones, and it is
 * gone with this process, however that ends. Its seeds are applied and its `ready` hooks run, as `stack run` does.
 *
 * @throws StackError when it cannot be made or started, with what the failing service has said; Error for a seed or a
 * hook that fails, whose own words are on stderr; TypeError for a `timeoutMs` that is no time
 */
export async function createStack(options: CreateStackOptions = {}): Promise<TestStack> {
  const { template, parties, settings = {} } = options;
  const timeoutMs = limitOf('timeoutMs', options.timeoutMs, defaultStartMs);
  const place = placeFrom(testEnvironment());
  await sweepEphemerals(place);
  const ephemeral = await createEphemeral(place, {
    template,
    parties,
    settings: settingsOf(settings),
    workingDirectory: process.cwd(),
  });
  try {
    const { env } = await ephemeral.start({ timeoutMs });
    const { stack, directory } = ephemeral;
    await afterStart({ stack, env, directory, staysUp: false }, silent());
    return await open(ephemeral.stack, async () => {
      const leftovers = await ephemeral.remove();
      if (leftovers.length > 0) throw new Error(`These could not be removed: ${leftovers.join(', ')}.`);
    });
  } catch (error) {
    await ephemeral.remove();
    throw withoutDeleted(error);
  }
}

/**
 * Joins the running stack that `STACK_NAME` names, which another process has started: the global set-up of a test
 * runner, or `stack run -- COMMAND`.
 *
 * @throws Error when there is no such variable, or no such stack runs
 */
export async function joinStack(): Promise<TestStack> {
  const environment = testEnvironment();
  const name = environment['STACK_NAME'] ?? '';
  if (name === '') throw new Error('STACK_NAME is not set: start a stack with createStack, or with stack run.');
  return open(await loadStack(placeFrom(environment), name));
}

/** Connects to a running stack. `remove` deletes it when the test has ended; without it, the stack goes on. */
async function open(stack: Stack, remove?: () => Promise<void>): Promise<TestStack> {
  const { services, state, env } = await stackStatus(stack);
  if (state !== 'running') throw new Error(`The stack ${stack.name} is ${state}. Start it: stack start ${stack.name}`);
  const accesses = await stackAccess(stack);
  const parties = new Map(
    services.flatMap(({ name, kind, url }) => {
      if (kind !== 'node' || url === null) return [];
      const namespace = stack.settings.namespaces[0] ?? 'default';
      return [[name, createParty({ name, url, namespace, ...clientAccess(accesses.get(name)) })]];
    }),
  );
  const party = (name: string): TestParty => {
    const found = parties.get(name);
    if (found !== undefined) return found;
    throw new Error(`There is no party ${name}. There are: ${[...parties.keys()].join(', ')}.`);
  };
  const lifetime = remove === undefined ? undefined : createLifetime(stack.name, remove);
  const during = <T>(work: () => Promise<T>): Promise<T> => lifetime?.during(work) ?? work();
  const stop = async (): Promise<void> => lifetime?.end();
  return {
    name: stack.name,
    parties: [...parties.keys()],
    environment: { ...env, STACK_HOME: stack.place.home },
    party,
    snapshot: async () => {
      const name = `test-${randomBytes(6).toString('hex')}`;
      const { manifest } = await during(() => saveSnapshot(stack, name));
      return { name, block: manifest.chain.block };
    },
    restore: async ({ name }) => void (await during(() => restoreSnapshot(stack, name))),
    idle: async ({ within } = {}) => untilIdle(stack, accesses, limitOf('within', within, 30_000)),
    expectConfirmed: async (message, { parties: names = [...parties.keys()], within: limit } = {}) => {
      const within = limitOf('within', limit, 10_000);
      const id = typeof message === 'string' ? message : message.header.id;
      await untilConfirmed(id, names.map(party), within);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Seeds and hooks say on stderr what is wrong, and nothing else is said. */
function silent() {
  const environment = testEnvironment();
  const modes = { isJson: false, isQuiet: true, isVerbose: false, hasColor: false };
  const output = createOutput({ stdout: process.stderr, stderr: process.stderr, environment, modes });
  return { output, environment, program: 'stack' };
}

const idlePollMs = 100;

async function untilIdle(
  stack: Stack,
  accesses: Awaited<ReturnType<typeof stackAccess>>,
  withinMs: number,
): Promise<void> {
  const { namespaces } = stack.settings;
  const check = idleCheck(() => stackStatus(stack), { accesses, namespaces });
  for (const end = performance.now() + withinMs; ; await sleep(idlePollMs)) {
    const reason = await check();
    if (reason === undefined) return;
    if (performance.now() >= end) throw new Error(`The stack is not idle after ${withinMs} ms: ${reason}.`);
  }
}
