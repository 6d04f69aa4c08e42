import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { askSocket, isNobodyThere } from '../http/socket-client.js';
import { type Identity, identify, isAlive, killGroup } from '../supervisor/identity.js';
import { readJsonFile } from '../supervisor/json-file.js';
import { settleLeftovers } from '../supervisor/leftovers.js';
import { directoryProblem, socketProblem } from '../supervisor/own-socket.js';
import { SupervisorStatus } from '../supervisor/view.js';
import { removeSocket } from './control-socket.js';
import { connectControl } from './control.js';
import { layoutOf, type Place } from './layout.js';
import { changeRegistry, readRegistry, without } from './registry.js';

/** Something that a stack or a supervisor has left and that nothing needs any more. */
export interface Stale {
  /** What it is, for a person. */
  readonly text: string;
  /** Removes it. @throws Error when that fails */
  readonly fix: () => Promise<unknown>;
}

const killLimitMs = 5_000;
const answerLimitMs = 2_000;

/** Everything that is provably stale: rows without a stack, states of dead supervisors, dead sockets, orphans. */
export async function findStale(place: Place): Promise<readonly Stale[]> {
  return [
    ...(await lostStacks(place)),
    ...(await deadStates(place)),
    ...(await deadSockets(place)),
    ...(await orphans(place)),
  ];
}

async function lostStacks(place: Place): Promise<readonly Stale[]> {
  const rows = Object.entries(await readRegistry(place));
  const found = await Promise.all(
    rows.map(async ([name, { directory }]) => ({ name, isThere: await exists(directory) })),
  );
  return found
    .filter(({ isThere }) => !isThere)
    .map(({ name }) => ({
      text: `the stack ${name} is in the list and its directory is gone`,
      fix: () => changeRegistry(place, (registry) => without(registry, name)),
    }));
}

async function deadStates(place: Place): Promise<readonly Stale[]> {
  const rows = Object.entries(await readRegistry(place));
  const found = await Promise.all(
    rows.map(async ([name, { directory }]) => {
      const layout = layoutOf(directory, place);
      const state = await readJsonFile(layout.state, SupervisorStatus).catch(() => undefined);
      const isDead = state !== undefined && state.state === 'running' && !(await isAlive(state.identity));
      return {
        name,
        file: layout.state,
        isDead: isDead && (await connectControl(layout, { anyVersion: true })) === undefined,
      };
    }),
  );
  return found
    .filter(({ isDead }) => isDead)
    .map(({ name, file }) => ({
      text: `the supervisor of ${name} was killed and has left its state`,
      fix: () => settleLeftovers(file, () => undefined),
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
    .map(({ path }) => ({ text: `nobody listens on the socket ${path}`, fix: () => removeSocket(path) }));
}

async function isDeadSocket(socketPath: string): Promise<boolean> {
  if ((await socketProblem(socketPath)) !== undefined) return false;
  try {
    (await askSocket({ socketPath, path: '/health', until: answerLimitMs })).resume();
    return false;
  } catch (error) {
    return isNobodyThere(error);
  }
}

const PlanFile = Type.Object({ socket: Type.String() });

/** Supervisors of this user whose stack was deleted under them; only Linux tells of all processes. */
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
