import { createHash } from 'node:crypto';
import { access, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isErrno } from '../supervisor/json-file.js';
import { makeDirectory } from '../supervisor/private-file.js';
import { buildPrefix, buildStack } from './build.js';
import type { StackSettings } from './definition.js';
import { partyName } from './definition-schema.js';
import { StackError } from './error.js';
import { layoutOf, type Place, stackDirectory } from './layout.js';
import { locatedAs } from './locate.js';
import { readProjectFile } from './project.js';
import { changeRegistry, type Registry, type RegistryEntry } from './registry.js';
import { renderTemplate, type Setting } from './render.js';
import { parseStackFile, readStackFile } from './stack-file.js';
import type { UserDefaults } from './user-defaults.js';
import { readUserDefaults } from './user-file.js';
import { readTemplate, type Template } from './template.js';
import { InvalidFile } from './yaml-text.js';

export interface CreateRequest {
  /** Default: `dev`, or with `here` the name of the directory where that is one. */
  readonly name?: string | undefined;
  /** A template's name or the path of its directory. Default: the user's own, else `default`. */
  readonly template?: string | undefined;
  /** Default: the template's. */
  readonly parties?: readonly string[] | undefined;
  readonly settings?: readonly Setting[];
  /** Put `stack.yaml`, and nothing else, into the working directory. */
  readonly here?: boolean;
  /** A stack of this name that exists already is success. */
  readonly ifMissing?: boolean;
  /** Check and answer, write nothing. */
  readonly dryRun?: boolean;
  readonly workingDirectory: string;
}

export interface CreateResult {
  readonly name: string;
  readonly dir: string;
  readonly configPath: string;
  readonly template: string;
  readonly parties: readonly string[];
  /** False: it was there already, or this was a dry run. */
  readonly created: boolean;
}

const firstNames = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];
const maxParties = 40;

/**
 * The party names of `3` or `alice,bob`.
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
  throw new StackError('NAME_INVALID', `Two parties are called "${twice}".`, {
    hint: 'Give each party a name of its own.',
    details: { name: twice },
  });
}

/**
 * Makes a stack: its definition, its keys, its place in the registry. Nothing is started and no connection opened. It
 * is built aside and put in place by one rename, so a failed or killed one leaves nothing.
 *
 * @throws StackError NAME_INVALID, NAME_EXISTS, TEMPLATE_NOT_FOUND, TEMPLATE_INVALID, STACK_FILE_INVALID, BIND_REFUSED
 */
export async function createStack(place: Place, request: CreateRequest): Promise<CreateResult> {
  const { here = false, ifMissing = false, dryRun = false, workingDirectory } = request;
  const asked = requireName(request.name ?? defaultName(workingDirectory, here), 'A stack');
  const user = await readUserDefaults(place);
  const template = await readTemplate(place, request.template ?? user.template ?? 'default', workingDirectory);
  const project = here ? workingDirectory : undefined;
  const found = project === undefined ? undefined : await readProjectFile(project);
  let result: CreateResult | undefined;
  await changeRegistry(place, async (registry) => {
    const name = instanceName(registry, asked, project);
    const text = found ?? renderTemplate(template, { name: asked, parties: request.parties }, request.settings ?? []);
    const existing = registry[name] ?? (await orphanEntry(place, name, template));
    if (existing !== undefined) {
      if (!ifMissing) throw nameExists(name, existing);
      result = resultOf(name, existing, await readStackFile(locatedAs(place, name, existing).definitionFile), false);
      return registry[name] === undefined ? { ...registry, [name]: existing } : undefined;
    }
    const settings = found === undefined ? parseRendered(text, template.name) : parseStackFile(text, 'stack.yaml');
    const entry: RegistryEntry = {
      directory: stackDirectory(place, name),
      ...(project === undefined ? {} : { project }),
      template: `${template.name}@${template.version}`,
      createdAt: new Date().toISOString(),
    };
    const written = found === undefined ? text : undefined;
    result = resultOf(name, entry, settings, !dryRun);
    if (dryRun) return undefined;
    await makeDirectory(dirname(entry.directory));
    await removeUnfinished(dirname(entry.directory));
    await buildStack(place, entry, settings, { text: written });
    return { ...registry, [name]: entry };
  });
  if (result === undefined) throw new Error('The registry was changed without creating a stack.');
  return result;
}

/**
 * The settings in a definition that was made from a template and is in no file yet, so no line of it is named.
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
      const hint = 'Add --set auth.enabled=true, or bind to 127.0.0.1.';
      throw new StackError(code, 'bind: beyond loopback a stack needs auth.', { hint, details, cause });
    }
    if (!(cause instanceof InvalidFile)) throw cause;
    const problems = cause.problems.map(({ message }) => message);
    throw new StackError(code, `The stack cannot be made: ${problems.join(' ')}`, {
      hint: `Look at --parties, --set and the template ${template}.`,
      details,
      cause,
    });
  }
}

/** Builds happen under the registry's lock, so whatever is there now was left by a process that is dead. */
async function removeUnfinished(stacks: string): Promise<void> {
  for (const name of await readdir(stacks)) {
    if (name.startsWith(buildPrefix)) await rm(join(stacks, name), { recursive: true, force: true });
  }
}

/** A directory that is in place without a row: its creator was killed between the two. */
async function orphanEntry(place: Place, name: string, template: Template): Promise<RegistryEntry | undefined> {
  const directory = stackDirectory(place, name);
  try {
    await access(layoutOf(directory, place).versions);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
  return { directory, template: `${template.name}@${template.version}`, createdAt: new Date().toISOString() };
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

/** The name, if it is one. @throws StackError NAME_INVALID */
export function requireName(name: string, what = 'A stack'): string {
  if (new RegExp(partyName).test(name)) return name;
  throw new StackError('NAME_INVALID', `${what} cannot be called "${name}".`, {
    hint: 'Names begin with a letter a-z and have at most 32 of a-z 0-9 -.',
    details: { name },
  });
}

function nameExists(name: string, entry: RegistryEntry): StackError {
  return new StackError('NAME_EXISTS', `There is a stack ${name} already, in ${entry.directory}.`, {
    hint: `stack start ${name}, or stack remove ${name}, or another name.`,
    details: { name, dir: entry.directory },
  });
}

function resultOf(name: string, entry: RegistryEntry, settings: StackSettings, created: boolean): CreateResult {
  return {
    name,
    dir: entry.directory,
    configPath: join(entry.project ?? entry.directory, 'stack.yaml'),
    template: entry.template,
    parties: settings.parties.map((party) => party.name),
    created,
  };
}
