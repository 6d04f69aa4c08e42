import assert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Identity, identify, waitUntilGone } from '../../supervisor/machine/identity.js';
import { buildStack } from '../build.js';
import type { HeldLease } from '../control/control.js';
import { parseRendered } from '../create.js';
import { recordedSocket, removeSocket } from '../control/control-socket.js';
import { removeEphemeralFile, writeEphemeralFile } from './ephemeral-entry.js';
import { ephemeralHome, type Place } from '../layout.js';
import { type LocatedStack, locatedAs, type Stack } from '../places/locate.js';
import { findProject, readProjectFile } from '../places/project.js';
import { changeRegistry, type RegistryEntry } from '../places/registry.js';
import { renderTemplate, type Setting, setIn, valueIn } from '../definition/render.js';
import { parseStackFile } from '../definition/stack-file.js';
import { killStack } from './stale.js';
import { type StartResult, startStack } from '../running/start.js';
import type { StartOptions } from '../running/start-options.js';
import { readChosenTemplate } from '../templates/template.js';
import type { BroughtFile } from '../templates/template-files.js';
import type { UserDefaults } from '../definition/user-defaults.js';
import { readUserDefaults } from '../definition/user-file.js';

export interface EphemeralRequest {
  /** A template's name or path. Default: the nearest `stack.yaml` upwards, else the template `default`. */
  readonly template?: string | undefined;
  readonly parties?: readonly string[] | undefined;
  readonly settings?: readonly Setting[];
  readonly workingDirectory: string;
}

/** A temporary stack for this process: not listed, and deleted when this process ends in any way. */
export interface Ephemeral {
  readonly stack: Stack;
  /** The directory that paths of its definition are relative to. */
  readonly directory: string;
  /** @throws StackError as `startStack`; logs are kept until `remove` */
  start(options?: Pick<StartOptions, 'timeoutMs' | 'onProgress' | 'smoke'>): Promise<StartResult>;
  /** Sets the process that uses the stack: if this process is killed, the other is killed, too. */
  setJob(pid: number): Promise<void>;
  /** Makes it a permanent stack in the registry. */
  keep(): Promise<void>;
  /**
   * Stops and deletes it, within `limitMs` (default: 10 s) or, with 0, at once. Resolves with everything that could not
   * be removed.
   */
  remove(limitMs?: number): Promise<readonly string[]>;
}

const defaultLimitMs = 10_000;

/**
 * Creates a temporary stack with ports chosen by the system. Starts nothing yet.
 *
 * @throws StackError TEMPLATE_NOT_FOUND, TEMPLATE_INVALID, STACK_FILE_INVALID, BIND_REFUSED
 */
export async function createEphemeral(place: Place, request: EphemeralRequest): Promise<Ephemeral> {
  const owner = await identify(process.pid);
  assert(owner !== undefined, 'the running process can be identified');
  const name = `run-${randomBytes(4).toString('hex')}`;
  const user = await readUserDefaults(place);
  const { text, template, source, files } = await definitionOf(place, name, { ...request, user });
  const settings = source === undefined ? parseRendered(text, template, user) : parseStackFile(text, source, user);
  const createdAt = new Date().toISOString();
  const entry: RegistryEntry = { directory: join(ephemeralHome(place), name), template, createdAt };
  await buildStack(place, entry, settings, {
    text,
    files,
    prepare: (layout) => writeEphemeralFile(layout, { owner, template, createdAt }),
  });
  const directory = source === undefined ? entry.directory : dirname(source);
  return ephemeralOf({ ...locatedAs(place, name, entry), settings }, directory, owner);
}

interface Definition {
  readonly text: string;
  readonly template: string;
  readonly files: readonly BroughtFile[];
  /** The project file with the text; undefined if it comes from a template. */
  readonly source: string | undefined;
}

async function definitionOf(
  place: Place,
  name: string,
  request: EphemeralRequest & { readonly user: UserDefaults },
): Promise<Definition> {
  const { parties, workingDirectory, user } = request;
  const settings = [...(request.settings ?? []), { path: ['ports', 'base'], value: 'os' }];
  const project = request.template === undefined ? await findProject(workingDirectory) : undefined;
  const found = project === undefined ? undefined : await readProjectFile(project);
  if (project !== undefined && found !== undefined) {
    const source = join(project, 'stack.yaml');
    const own = { name, ...(parties !== undefined && { parties }) };
    const named = Object.entries(own).reduce((text, [key, value]) => setIn(text, [key], value), found);
    const text = settings.reduce((whole, { path, value }) => setIn(whole, path, valueIn(value)), named);
    return { text, template: source, files: [], source };
  }
  const template = await readChosenTemplate(place, request, user);
  return {
    text: renderTemplate(template, { name, parties }, settings),
    template: `${template.name}@${template.version}`,
    files: template.files,
    source: undefined,
  };
}

function ephemeralOf(stack: Stack, directory: string, owner: Identity): Ephemeral {
  const { layout, place, name, entry } = stack;
  let lease: HeldLease | undefined;
  let supervisor: Identity | undefined;
  let starting: Promise<unknown> = Promise.resolve();
  let isUnwanted = false;
  const gone = async (limitMs: number): Promise<void> => {
    await starting;
    if (supervisor !== undefined) await waitUntilGone(supervisor, limitMs);
  };
  return {
    stack,
    directory,
    start: (options = {}) => {
      const started = startStack(stack, {
        ...options,
        owner: {
          identity: owner,
          take: async (control) => {
            lease = await control.lease();
            supervisor = (await control.health()).identity;
            if (isUnwanted) lease.release();
          },
        },
      });
      starting = started.catch(() => undefined);
      return started;
    },
    setJob: async (pid) => lease?.setJob(pid),
    keep: async () => {
      // In this order a killed process leaves a registry entry without a stack, never a stack without an entry.
      await changeRegistry(place, (registry) => ({ ...registry, [name]: entry }));
      await removeEphemeralFile(layout);
      await lease?.keep();
      lease?.release();
    },
    remove: async (limitMs = defaultLimitMs) => {
      isUnwanted = true;
      lease?.release();
      await Promise.race([gone(limitMs), sleep(limitMs, undefined, { ref: false })]);
      return removeRest(stack);
    },
  };
}

/** Stops and deletes the remains of an abandoned stack. Resolves with everything that could not be removed. */
export async function removeRest(stack: LocatedStack): Promise<readonly string[]> {
  const { layout } = stack;
  const alive = await killStack(stack);
  await removeSocket((await recordedSocket(layout)) ?? layout.socket);
  await removeSocket(layout.viewSocket);
  if (alive.length > 0) return alive;
  try {
    await rm(layout.directory, { recursive: true, force: true, maxRetries: 3 });
    return [];
  } catch {
    return [layout.directory];
  }
}
