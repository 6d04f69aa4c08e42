import { join } from 'node:path';
import { nearestHint } from '../../wire/lists/query.js';
import type { StackSettings } from '../definition/definition.js';
import { ephemeralEntry } from '../cleaning/ephemeral-entry.js';
import { StackError } from '../error.js';
import { type Layout, layoutOf, type Place } from '../layout.js';
import { findProject, readProjectFile } from './project.js';
import { readRegistry, type Registry, type RegistryEntry } from './registry.js';
import { readKeptDefinition } from '../definition/applied-definition.js';
import { parseStackFile, readStackFile } from '../definition/stack-file.js';
import type { UserDefaults } from '../definition/user-defaults.js';
import { readUserDefaults } from '../definition/user-file.js';

/** An existing stack, with a readable definition or not. */
export interface LocatedStack {
  readonly place: Place;
  /** Its name in the registry, which users type. */
  readonly name: string;
  readonly layout: Layout;
  readonly entry: RegistryEntry;
  /** The file of its definition: in its own directory or in its project. */
  readonly definitionFile: string;
}

export interface Stack extends LocatedStack {
  readonly settings: StackSettings;
}

/**
 * Finds a stack by name, without reading its definition.
 *
 * @throws StackError STACK_NOT_FOUND
 */
export async function locateStack(place: Place, name: string): Promise<LocatedStack> {
  const registry = await readRegistry(place);
  const listed = Object.hasOwn(registry, name) ? registry[name] : undefined;
  const entry = listed ?? (await ephemeralEntry(place, name))?.entry;
  if (entry === undefined) {
    throw await stackNotFound(place, name, registry);
  }
  return locatedAs(place, name, entry);
}

async function stackNotFound(place: Place, name: string, registry: Registry): Promise<StackError> {
  const details = { name };
  const owner = await stackWithParty(place, name, registry);
  if (owner !== undefined) {
    return new StackError('STACK_NOT_FOUND', `${name} is a party of ${owner}, not a stack.`, {
      hint: `For one party: stack party stop ${name} -s ${owner} (or start, restart, pause, resume)`,
      details,
    });
  }
  if ((name === 'chain' || name === 'store') && Object.keys(registry).length > 0) {
    return new StackError('STACK_NOT_FOUND', `${name} is a service of a stack, not a stack.`, {
      hint: `For one service: stack restart -p ${name}, or stack stop -p ${name}`,
      details,
    });
  }
  const near = nearestHint(name, Object.keys(registry));
  return new StackError('STACK_NOT_FOUND', `There is no stack ${name}${near}`, {
    hint:
      near === '.' ? `Create it: stack init ${name}` : `List the stacks: stack list. Or create it: stack init ${name}`,
    details,
  });
}

/** The stack with a party of this name; undefined if there is none, or more than one. */
async function stackWithParty(place: Place, party: string, registry: Registry): Promise<string | undefined> {
  const owners: string[] = [];
  for (const [name, entry] of Object.entries(registry)) {
    // A definition that cannot be read is reported by commands that use it.
    const settings = await readStackFile(locatedAs(place, name, entry).definitionFile).catch(() => undefined);
    if (settings?.parties.some((each) => each.name === party) === true) owners.push(name);
  }
  return owners.length === 1 ? owners[0] : undefined;
}

export function locatedAs(place: Place, name: string, entry: RegistryEntry): LocatedStack {
  const layout = layoutOf(entry.directory, place);
  const definitionFile = entry.project === undefined ? layout.definition : join(entry.project, 'stack.yaml');
  return { place, name, layout, entry, definitionFile };
}

/**
 * Loads a stack by name, with its settings.
 *
 * @throws StackError STACK_NOT_FOUND, STACK_FILE_INVALID, BIND_REFUSED
 */
export async function loadStack(place: Place, name: string): Promise<Stack> {
  const located = await locateStack(place, name);
  const user = await readUserDefaults(place);
  const settings = await readDefinition(located, user);
  return { ...located, settings: { ...settings, name } };
}

/** Reads the definition. If it is gone, the failure says what to do. */
async function readDefinition({ name, entry, definitionFile }: LocatedStack, user: UserDefaults) {
  return readStackFile(definitionFile, user).catch((error: unknown) => {
    const isGone = error instanceof StackError && error.code === 'STACK_NOT_FOUND';
    if (!isGone) throw error;
    const back = entry.project === undefined ? 'Restore it from a copy.' : 'If its project was moved, move it back.';
    const hint = `${back} To give the stack up: stack remove ${name}`;
    throw new StackError(error.code, error.message, { hint, cause: error });
  });
}

/** A stack whose project has no definition any more, since it was moved or deleted. */
export interface LostStack {
  readonly name: string;
  readonly project: string;
}

/** The stacks whose project was moved or deleted. */
export async function lostStacks(place: Place): Promise<readonly LostStack[]> {
  const lost: LostStack[] = [];
  for (const [name, { project }] of Object.entries(await readRegistry(place))) {
    if (project !== undefined && (await readProjectFile(project)) === undefined) lost.push({ name, project });
  }
  return lost;
}

/** A stack with the settings of its definition, or of its last start if the definition cannot be used. */
export interface AppliedStack {
  readonly stack: Stack;
  readonly problem: StackError | undefined;
}

/**
 * Loads a stack for commands that only read it or use a running one: a definition that was broken since the start does
 * not prevent them.
 *
 * @throws StackError as `loadStack`, if the stack has not been started with a definition yet
 */
export async function loadAppliedStack(place: Place, name: string): Promise<AppliedStack> {
  return loadApplied(await locateStack(place, name));
}

/** Calls `loadAppliedStack` for a located stack. @throws StackError as `loadAppliedStack` */
export async function loadApplied(located: LocatedStack): Promise<AppliedStack> {
  const { place, name, definitionFile, layout } = located;
  const user = await readUserDefaults(place);
  try {
    return {
      stack: { ...located, settings: { ...(await readDefinition(located, user)), name } },
      problem: undefined,
    };
  } catch (error) {
    const text = error instanceof StackError ? await readKeptDefinition(layout) : undefined;
    if (!(error instanceof StackError) || text === undefined) throw error;
    const settings = { ...parseStackFile(text, definitionFile, user), name };
    return { stack: { ...located, settings }, problem: error };
  }
}

export type Selection =
  | { readonly from: 'given' | 'project' | 'only'; readonly name: string }
  /** Chosen by default among several; commands that change it print a note. */
  | { readonly from: 'last started'; readonly name: string };

/** A project whose definition has no stack on this machine yet, as after a checkout. */
export interface NewProject {
  readonly directory: string;
  readonly name: string;
}

/**
 * The project of the nearest `stack.yaml` upwards, if it has no stack yet and no other one is selected.
 *
 * @throws StackError STACK_FILE_INVALID, BIND_REFUSED
 */
export async function findNewProject(
  place: Place,
  { given, workingDirectory }: { readonly given: string | undefined; readonly workingDirectory: () => string },
): Promise<NewProject | undefined> {
  const registry = await readRegistry(place);
  if (given !== undefined && Object.hasOwn(registry, given)) return undefined;
  const directory = await findProject(workingDirectory());
  if (directory === undefined) return undefined;
  const entries = Object.values(registry);
  if (entries.some((entry) => entry.project === directory || entry.directory === directory)) return undefined;
  const { name } = await readStackFile(join(directory, 'stack.yaml'));
  return given === undefined || given === name ? { directory, name } : undefined;
}

/** The nearest definition upwards that has no stack yet, even if it is invalid. */
export async function findNewDefinition(place: Place, workingDirectory: string): Promise<string | undefined> {
  const directory = await findProject(workingDirectory);
  const entries = Object.values(await readRegistry(place));
  if (directory === undefined) return undefined;
  const isKnown = entries.some((entry) => entry.project === directory || entry.directory === directory);
  return isKnown ? undefined : join(directory, 'stack.yaml');
}

/**
 * Selects the stack of a command: the given one, else that of the nearest `stack.yaml` upwards, else
 * the only one, else the last one started. A given stack needs no working directory, which may have been deleted.
 *
 * @throws StackError NOT_SELECTED
 */
export async function selectStack(
  place: Place,
  { given, workingDirectory }: { readonly given: string | undefined; readonly workingDirectory: () => string },
): Promise<Selection> {
  if (given !== undefined) return { from: 'given', name: given };
  const registry = await readRegistry(place);
  const stacks = Object.entries(registry);
  const project = await findProject(workingDirectory());
  if (project !== undefined) {
    const ours = stacks.find(([, entry]) => entry.project === project || entry.directory === project);
    if (ours !== undefined) return { from: 'project', name: ours[0] };
    throw new StackError('NOT_SELECTED', `${join(project, 'stack.yaml')} has no stack yet.`, {
      hint: `Create and start it: stack start, in ${project}`,
    });
  }
  const [only] = stacks;
  if (only !== undefined && stacks.length === 1) return { from: 'only', name: only[0] };
  const started = stacks.filter(([, entry]) => entry.startedAt !== undefined);
  const [last] = started.sort(([, a], [, b]) => Date.parse(b.startedAt ?? '') - Date.parse(a.startedAt ?? ''));
  if (last !== undefined) return { from: 'last started', name: last[0] };
  const names = stacks.map(([name]) => name).join(', ');
  throw new StackError(
    'NOT_SELECTED',
    stacks.length === 0 ? 'There is no stack yet.' : `There are several stacks: ${names}.`,
    {
      hint: stacks.length === 0 ? 'Create one: stack init' : 'Choose one with -s NAME.',
    },
  );
}
