import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKnexDatabase } from '../../../src/adapters/database/knex.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { storeEvents, type StoredEvents } from '../../support/stored-events.js';
import { createVictimStack, type VictimStack } from '../crash/victim-stack.js';

/** A stack whose first party is examined. */
export interface EventStack {
  readonly stack: VictimStack;
  /** Address of the first party's node. */
  readonly url: string;
  readonly party: { readonly name: string; readonly url: string };
  /** Kills its node with SIGKILL, and resolves when another is healthy. */
  kill(): Promise<void>;
  /** Returns the resident memory of its node, in bytes. */
  residentBytes(): Promise<number>;
  /** Stops its node, writes past events into its database, and starts it again. */
  store(events: StoredEvents): Promise<readonly string[]>;
  remove(): Promise<void>;
}

const healthyMs = 60_000;

/** Runs work on an event stack, which is always removed afterwards. */
export async function onEventStack(root: string, work: (events: EventStack) => Promise<void>): Promise<void> {
  const events = await createEventStack(root);
  try {
    await work(events);
  } finally {
    await events.remove();
  }
}

export async function createEventStack(root: string, parties = '2'): Promise<EventStack> {
  const stack = await createVictimStack(root, parties);
  const [party] = stack.parties;
  if (party === undefined) throw new Error('a stack has a party');
  const node = async () => {
    const found = (await stack.victims()).find(({ name }) => name === party.name);
    if (found === undefined) throw new Error(`the node of ${party.name} does not run`);
    return found;
  };
  return {
    stack,
    url: party.url,
    party,
    async kill() {
      const victim = await node();
      stack.kill(victim);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        const next = (await stack.victims()).find(({ name }) => name === party.name);
        if (next !== undefined && next.pid !== victim.pid) break;
      }
      await stack.healthy(healthyMs);
    },
    async residentBytes() {
      const { pid } = await node();
      return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
    },
    async store(events) {
      await stack.stop(party.name);
      const file = join(stack.files, 'data/nodes', party.name, 'db.sqlite3');
      if (!existsSync(file)) throw new Error(`there is no database ${file}`);
      const database = await createKnexDatabase({ file, log: createSilentLog() });
      const ids = await storeEvents(database, events);
      await database.close();
      await stack.start();
      await stack.healthy(healthyMs);
      return ids;
    },
    remove: () => stack.remove(),
  };
}

/** Polls frequently until a condition holds. @throws Error if it does not within the time */
export async function soon(what: string, holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<number> {
  const startMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - startMs > withinMs) throw new Error(`${what}: not within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - startMs;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
