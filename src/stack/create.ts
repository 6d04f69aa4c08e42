import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '../supervisor/files/private-file.js';
import { buildPrefix, buildStack } from './build.js';
import type { StackSettings } from './definition/definition.js';
import { partyName } from './settings/definition-schema.js';
import { StackError } from './error.js';
import { type Place, stackDirectory } from './layout.js';
import { locatedAs } from './places/locate.js';
import { readProjectFile } from './places/project.js';
import { changeRegistry, type Registry, type RegistryEntry } from './places/registry.js';
import { unlistedEntry } from './places/unlisted.js';
import { renderTemplate, type Setting } from './definition/render.js';
import { parseStackFile, readStackFile } from './definition/stack-file.js';
import type { UserDefaults } from './definition/user-defaults.js';
import { readUserDefaults } from './definition/user-file.js';
import { readChosenTemplate } from './templates/template.js';
import { InvalidFile } from './definition/yaml-text.js';

export interface CreateRequest {
  /** Default: `dev`, or with `here` the name of the directory if that is valid. */
  readonly name?: string | undefined;
  /** A template's name or the path of its directory. Default: the user's setting, else `default`. */
  readonly template?: string | undefined;
  /** Default: the template's. */
  readonly parties?: readonly string[] | undefined;
  readonly settings?: readonly Setting[];
  /** Create only `stack.yaml` in the working directory. */
  readonly here?: boolean;
  /** Succeed if a stack of this name exists already. */
  readonly ifMissing?: boolean;
  /** Check and return the result without writing. */
  readonly dryRun?: boolean;
  readonly workingDirectory: string;
}

export interface CreateResult {
  readonly name: string;
  readonly dir: string;
  readonly configPath: string;
  readonly template: string;
  readonly parties: readonly string[];
  /** False if it existed already, or for a dry run. */
  readonly created: boolean;
  /** Whether it existed already. */
  readonly existed: boolean;
}

const firstNames = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];
const maxParties = 40;

/**
 * Parses party names from `3` or `alice,bob`.
 *
 * @throws StackError NAME_INVALID
 */
export function partyNames(text: string): string[] {
  if (/^\d+$/.test(text)) {
    const count = Number(text);
    if (count < 1 || count > maxParties) {
      throw new StackError('NAME_INVALID', `A stack has 1 to ${maxParties} parties, not ${text}.`);
    }
    return Array.from({ length: count }, (_, index) => firstNames[index] ?? `party-${index + 1}`);
  }
  const names = text.split(',').map((name) => requireName(name.trim(), 'A party'));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice === undefined) return names;
  throw new StackError('NAME_INVALID', `Two parties are named "${twice}".`, {
    hint: 'Give each party a different name.',
    details: { name: twice },
  });
}

/**
 * Creates a stack: its definition, its keys, its registry entry. Starts nothing and opens no connection. It is built
 * under a temporary name and renamed, so a failed or killed call leaves nothing.
 *
 * @throws StackError NAME_INVALID, NAME_EXISTS, TEMPLATE_NOT_FOUND, TEMPLATE_INVALID, STACK_FILE_INVALID, BIND_REFUSED;
 *   STATE_INVALID for the directory of a copied stack
 */
export async function createStack(place: Place, request: CreateRequest): Promise<CreateResult> {
  const { here = false, ifMissing = false, dryRun = false, workingDirectory } = request;
  const project = here ? workingDirectory : undefined;
  const found = project === undefined ? undefined : await readProjectFile(project);
  const usual = found === undefined ? defaultName(workingDirectory, here) : parseStackFile(found, 'stack.yaml').name;
  const requested = requireName(request.name ?? usual, 'A stack');
  if (found !== undefined && !ifMissing) refuseDecidedOptions(request, usual);
  const user = await readUserDefaults(place);
  const template = await readChosenTemplate(place, request, user);
  let result: CreateResult | undefined;
  await changeRegistry(place, async (registry) => {
    const name = ownStack(registry, project) ?? instanceName(registry, requested, project);
    const text =
      found ?? renderTemplate(template, { name: requested, parties: request.parties }, request.settings ?? []);
    const existing = registry[name] ?? (await unlistedEntry(place, name, registry));
    if (existing !== undefined) {
      if (!ifMissing && registry[name] === undefined) throw isUnlisted(name, existing);
      if (!ifMissing) throw nameExists(name, existing, existing.project !== undefined && existing.project === project);
      const settings = await readStackFile(locatedAs(place, name, existing).definitionFile);
      result = { ...resultOf(name, existing, settings), existed: true };
      return registry[name] === undefined ? { ...registry, [name]: existing } : undefined;
    }
    const settings = found === undefined ? parseRendered(text, template.name) : parseStackFile(text, 'stack.yaml');
    const entry: RegistryEntry = {
      directory: stackDirectory(place, name),
      ...(project === undefined ? {} : { project }),
      template: found === undefined ? `${template.name}@${template.version}` : settings.template,
      createdAt: new Date().toISOString(),
    };
    const written = found === undefined ? text : undefined;
    result = { ...resultOf(name, entry, settings), created: !dryRun };
    if (dryRun) return undefined;
    await makeDirectory(dirname(entry.directory));
    await removeUnfinished(dirname(entry.directory));
    await buildStack(place, entry, settings, { text: written, files: template.files });
    return { ...registry, [name]: entry };
  });
  if (result === undefined) throw new Error('The registry was changed without creating a stack.');
  return result;
}

/**
 * The settings that a new stack would have from its template and `settings` alone.
 *
 * @throws StackError TEMPLATE_NOT_FOUND, TEMPLATE_INVALID, STACK_FILE_INVALID, BIND_REFUSED
 */
export async function settingsOfTemplate(
  place: Place,
  { name, template: requested, settings = [], workingDirectory }: CreateRequest,
): Promise<StackSettings> {
  const user = await readUserDefaults(place);
  const template = await readChosenTemplate(place, { template: requested, workingDirectory }, user);
  return parseRendered(renderTemplate(template, { name: name ?? 'dev' }, settings), template.name);
}

/**
 * Parses a definition rendered from a template; it is in no file yet, so errors name no line.
 *
 * @throws StackError STACK_FILE_INVALID, BIND_REFUSED
 */
export function parseRendered(text: string, template: string, user?: UserDefaults): StackSettings {
  try {
    return parseStackFile(text, 'stack.yaml', user);
  } catch (cause) {
    if (!(cause instanceof StackError)) throw cause;
    const { code, details } = cause;
    if (code === 'BIND_REFUSED') {
      const { message, setting } =
        details['reason'] === 'keys'
          ? { message: 'bind: listening beyond loopback requires unpublished keys.', setting: 'keys.source=random' }
          : { message: 'bind: listening beyond loopback requires auth.', setting: 'auth.enabled=true' };
      throw new StackError(code, message, {
        hint: `Add --set ${setting}, or bind to 127.0.0.1.`,
        details,
        cause,
      });
    }
    if (!(cause instanceof InvalidFile)) throw cause;
    const problems = cause.problems.map(({ message }) => message);
    throw new StackError(code, `The stack cannot be created: ${problems.join(' ')}`, {
      hint: `Check --parties, --set and the template ${template}.`,
      details,
      cause,
    });
  }
}

/** Builds hold the registry's lock, so an existing build directory was left by a dead process. */
async function removeUnfinished(stacks: string): Promise<void> {
  for (const name of await readdir(stacks)) {
    if (name.startsWith(buildPrefix)) await rm(join(stacks, name), { recursive: true, force: true });
  }
}

/** The existing stack of a project, whatever name was requested: a definition belongs to one stack. */
function ownStack(registry: Registry, project: string | undefined): string | undefined {
  if (project === undefined) return undefined;
  return Object.entries(registry).find(([, entry]) => entry.project === project)?.[0];
}

/** Refuses options that an existing definition has already decided. @throws StackError NAME_EXISTS */
function refuseDecidedOptions(
  { template, parties, settings = [], workingDirectory }: CreateRequest,
  name: string,
): void {
  if (template === undefined && parties === undefined && settings.length === 0) return;
  const path = join(workingDirectory, 'stack.yaml');
  throw new StackError('NAME_EXISTS', `${path} already exists and defines the stack ${name}.`, {
    hint: 'Leave out templates, parties and settings, or change the file: stack config set',
    details: { name, path },
  });
}

function instanceName(registry: Registry, name: string, project: string | undefined): string {
  const entry = registry[name];
  if (entry === undefined || project === undefined || entry.project === project) return name;
  return `${name}-${createHash('sha256').update(project).digest('hex').slice(0, 4)}`;
}

function defaultName(workingDirectory: string, here: boolean): string {
  const directory = basename(workingDirectory);
  return here && new RegExp(partyName).test(directory) ? directory : 'dev';
}

/** Returns a valid name. @throws StackError NAME_INVALID */
export function requireName(name: string, what = 'A stack'): string {
  if (new RegExp(partyName).test(name)) return name;
  throw new StackError('NAME_INVALID', `${what} cannot be named "${name}".`, {
    hint: 'Names begin with a letter a-z and have at most 32 of a-z 0-9 -.',
    details: { name },
  });
}

function nameExists(name: string, entry: RegistryEntry, isOfThisDirectory: boolean): StackError {
  const where = isOfThisDirectory ? 'for this directory' : `in ${entry.directory}`;
  const other = isOfThisDirectory ? 'go to another directory' : 'choose another name';
  return new StackError('NAME_EXISTS', `The stack ${name} already exists ${where}.`, {
    hint: `Start it: stack start ${name}. Or remove it: stack remove ${name}. Or ${other}.`,
    details: { name, dir: entry.directory },
  });
}

function isUnlisted(name: string, { directory }: RegistryEntry): StackError {
  return new StackError('NAME_EXISTS', `${directory} has a stack ${name} that is not in the list of stacks.`, {
    hint: `To list it again: stack init ${name} --if-missing. Or choose another name.`,
    details: { name, dir: directory },
  });
}

function resultOf(name: string, entry: RegistryEntry, settings: StackSettings): CreateResult {
  return {
    name,
    dir: entry.directory,
    configPath: join(entry.project ?? entry.directory, 'stack.yaml'),
    template: entry.template,
    parties: settings.parties.map((party) => party.name),
    created: false,
    existed: false,
  };
}
