import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { discard } from '../../http/client/response.js';
import { askSocket, isNobodyThere } from '../../http/client/unix-socket.js';
import { type Identity, identify, killGroup } from '../../supervisor/machine/identity.js';
import { readJsonFile } from '../../supervisor/files/json-file.js';
import { endOrphans } from '../../supervisor/machine/orphans.js';
import { directoryProblem, socketProblem } from '../../supervisor/control/own-socket.js';
import { removeSocket } from '../control/control-socket.js';
import { layoutOf, type Place } from '../layout.js';
import { changeRegistry, readRegistry, without } from '../places/registry.js';
import { readState } from '../control/living.js';
import { hasSupervisor } from './stale.js';

/** A leftover of a stack or supervisor that nothing needs any more. */
export interface Stale {
  /** A description for people. */
  readonly text: string;
  /** Removes it. @throws Error if that fails */
  readonly fix: () => Promise<unknown>;
}

const killLimitMs = 5_000;
const answerLimitMs = 2_000;

/**
 * Finds everything that is certainly stale: registry entries without a stack, states of dead supervisors, dead sockets,
 * orphaned processes.
 */
export async function findStale(place: Place): Promise<readonly Stale[]> {
  return [
    ...(await entriesWithoutStack(place)),
    ...(await deadStates(place)),
    ...(await deadSockets(place)),
    ...(await orphans(place)),
  ];
}

async function entriesWithoutStack(place: Place): Promise<readonly Stale[]> {
  const rows = Object.entries(await readRegistry(place));
  const found = await Promise.all(
    rows.map(async ([name, { directory }]) => ({ name, isThere: await exists(directory) })),
  );
  return found
    .filter(({ isThere }) => !isThere)
    .map(({ name }) => ({
      text: `the stack ${name} is in the list, but its directory is gone`,
      fix: () => changeRegistry(place, (registry) => without(registry, name)),
    }));
}

async function deadStates(place: Place): Promise<readonly Stale[]> {
  const rows = Object.entries(await readRegistry(place));
  const found = await Promise.all(
    rows.map(async ([name, { directory }]) => {
      const layout = layoutOf(directory, place);
      const wasRunning = (await readState(layout.state))?.state === 'running';
      return { name, file: layout.state, isDead: wasRunning && !(await hasSupervisor({ layout })) };
    }),
  );
  return found
    .filter(({ isDead }) => isDead)
    .map(({ name, file }) => ({
      text: `the supervisor of ${name} was killed and has left its state file`,
      fix: () => endOrphans(file, () => undefined),
    }));
}

async function deadSockets({ runtimeDirectory }: Place): Promise<readonly Stale[]> {
  if ((await directoryProblem(runtimeDirectory)) !== undefined) return [];
  const names = await readdir(runtimeDirectory).catch(() => []);
  const sockets = names
    .filter((name) => /^[0-9a-f]{12}\.(sock|view)$/.test(name))
    .map((name) => join(runtimeDirectory, name));
  const found = await Promise.all(sockets.map(async (path) => ({ path, isDead: await isDeadSocket(path) })));
  return found
    .filter(({ isDead }) => isDead)
    .map(({ path }) => ({ text: `no process listens on the socket ${path}`, fix: () => removeSocket(path) }));
}

async function isDeadSocket(socketPath: string): Promise<boolean> {
  if ((await socketProblem(socketPath)) !== undefined) return false;
  try {
    await discard(await askSocket({ socketPath, path: '/health', until: answerLimitMs }));
    return false;
  } catch (error) {
    return isNobodyThere(error);
  }
}

const PlanFile = Type.Object({ socket: Type.String() });

/** Supervisors of this user whose stack's directory was deleted; detected only on Linux. */
async function orphans(place: Place): Promise<readonly Stale[]> {
  const pids = await readdir('/proc').catch(() => []);
  const found = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map((pid) => orphanOf(Number(pid), place)));
  return found.flatMap((identity) =>
    identity === undefined
      ? []
      : [
          {
            text: `the supervisor with pid ${identity.pid} runs a stack whose directory is gone`,
            fix: () => killGroup(identity, killLimitMs),
          },
        ],
  );
}

async function orphanOf(pid: number, { home }: Place): Promise<Identity | undefined> {
  const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
  const plan = words[2] ?? '';
  const isOurs = /\/bin\/supervisor\.js$/.test(words[1] ?? '') && plan.startsWith(`${home}/`);
  if (!isOurs || (await readJsonFile(plan, PlanFile).catch(() => 'unreadable')) !== undefined) return undefined;
  return identify(pid);
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
