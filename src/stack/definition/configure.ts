import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';
import { makeDirectory, rewriteFile } from '../../supervisor/files/private-file.js';
import { defaultsFor, type StackSettings } from './definition.js';
import { StackError } from '../error.js';
import type { Place } from '../layout.js';
import type { LocatedStack } from '../places/locate.js';
import { withLock } from '../places/lock.js';
import { readTemplate } from '../templates/template.js';
import { type Setting, setIn, valueIn } from './render.js';
import { type OpenDefinition, openStackFile, readStackText } from './stack-file.js';
import { openUserFile, readUserText } from './user-file.js';
import { InvalidFile, readYaml, type YamlText } from './yaml-text.js';

export interface SettingRow {
  /** With dots: `logs.level`. */
  readonly setting: string;
  readonly value: unknown;
  readonly from: 'stack.yaml' | 'config.yaml' | 'default';
  /** Null for a default. */
  readonly file: string | null;
  readonly line: number | null;
}

/**
 * Lists every setting of a stack's definition or the user's file, in the order of the definition; with `all` also the
 * defaults.
 *
 * @throws StackError STACK_FILE_INVALID
 */
export async function describeSettings(
  stack: LocatedStack,
  { all }: { readonly all: boolean },
): Promise<readonly SettingRow[]> {
  const { definitionFile, place } = stack;
  const userText = (await readUserText(place.configFile)) ?? '';
  const user = openUserFile(userText, place.configFile);
  const own = openStackFile(await readStackText(definitionFile), definitionFile, user.defaults);
  const { template: _, namespace, color, input, ...ofStacks } = user.defaults;
  const rows = new Map<string, SettingRow>();
  const add = (value: unknown, from: SettingRow['from'], source?: { file: string; yaml: YamlText }) => {
    for (const [setting, member] of settingsIn(value)) {
      const isListed = [...rows.keys()].some((known) => isWithin(setting, known) || isWithin(known, setting));
      if (isListed) continue;
      const line = source?.yaml.position(`/${setting.replaceAll('.', '/')}`, true).line ?? null;
      rows.set(setting, { setting, value: member, from, file: source?.file ?? null, line });
    }
  };
  add(own.definition, 'stack.yaml', { file: definitionFile, yaml: own.yaml });
  add(ofStacks, 'config.yaml', { file: place.configFile, yaml: user.yaml });
  if (all) add(defaultsFor(own.definition), 'default');
  return [...rows.values()];
}

function isWithin(setting: string, other: string): boolean {
  return setting === other || setting.startsWith(`${other}.`);
}

/** The members of nested mappings by dotted name; lists and empty mappings are values. */
function settingsIn(value: unknown, path = ''): (readonly [setting: string, value: unknown])[] {
  const isMapping = value instanceof Object && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isMapping) return path === '' ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, member]) => settingsIn(member, path === '' ? key : `${path}.${key}`));
}

/**
 * Validates a definition and the user's file, and returns their paths.
 *
 * @throws StackError STACK_FILE_INVALID with all problems of the first invalid file
 */
export async function validateStack({ place, definitionFile }: LocatedStack): Promise<readonly string[]> {
  const userText = await readUserText(place.configFile);
  const user = openUserFile(userText ?? '', place.configFile);
  await requireSeeds(openStackFile(await readStackText(definitionFile), definitionFile, user.defaults), definitionFile);
  return userText === undefined ? [definitionFile] : [definitionFile, place.configFile];
}

/** Validates a file: a definition, or the user's own if it is called `config.yaml`. @throws StackError as above */
export async function validateFile(path: string): Promise<void> {
  const text = await readStackText(path);
  if (basename(path) === 'config.yaml') openUserFile(text, path);
  else await requireSeeds(openStackFile(text, path), path);
}

/** Checks that the seed files of a definition exist, which a start reads only once the network is ready. */
async function requireSeeds({ settings, yaml }: OpenDefinition, path: string): Promise<void> {
  const directory = dirname(path);
  const absent = await Promise.all(settings.seed.map(async (file) => !(await isFile(resolve(directory, file)))));
  const findings = settings.seed.flatMap((file, index) =>
    absent[index] === true
      ? [{ path: `/seed/${index}`, key: false, message: `There is no file ${file} in ${directory}.` }]
      : [],
  );
  if (findings.length > 0) throw new InvalidFile(path, yaml.problemsOf(findings));
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
}

export interface ChangedSettings {
  readonly file: string;
  readonly changed: readonly { readonly setting: string; readonly value: unknown }[];
}

/** Settings that are part of the stack's identity: its name is a directory, a registry entry, and in the plan. */
const fixedSettings: readonly string[] = ['apiVersion', 'name'];

/**
 * Changes a definition, preserving comments and layout; an invalid result is not written.
 *
 * @throws StackError STACK_FILE_INVALID, LOCKED
 */
export async function changeSettings(stack: LocatedStack, settings: readonly Setting[]): Promise<ChangedSettings> {
  const fixed = settings.find(({ path }) => fixedSettings.includes(path[0] ?? ''));
  if (fixed !== undefined) {
    throw new StackError('STACK_FILE_INVALID', `${fixed.path.join('.')} of a stack cannot be changed.`, {
      hint: 'To have another, make a new stack: stack init NAME',
    });
  }
  return withLock(stack.layout.lock, 'config set', async () => (await tryChange(stack, settings)).write());
}

/** A valid change of a definition that is not written yet. */
export interface TriedChange {
  readonly settings: StackSettings;
  write(): Promise<ChangedSettings>;
}

/**
 * Tries a change of a definition; the caller holds the stack's lock until it is written.
 *
 * @throws StackError STACK_FILE_INVALID
 */
export async function tryChange(
  { definitionFile: file, place, name }: LocatedStack,
  wanted: readonly Setting[],
): Promise<TriedChange> {
  const { defaults: user } = openUserFile((await readUserText(place.configFile)) ?? '', place.configFile);
  const { checked, write } = tryWith(file, await readStackText(file), wanted, (text) =>
    openStackFile(text, file, user),
  );
  return { settings: { ...checked.settings, name }, write };
}

/**
 * Changes the user's own file, creating it if necessary.
 *
 * @throws StackError STACK_FILE_INVALID, LOCKED; those of `readTemplate` for a new default template
 */
export async function changeUserSettings(
  place: Place,
  settings: readonly Setting[],
  workingDirectory: string,
): Promise<ChangedSettings> {
  const { configFile: file } = place;
  await makeDirectory(dirname(file));
  return withLock(`${file}.lock`, 'config set', async () => {
    const text = (await readUserText(file)) ?? '';
    const { checked, write } = tryWith(file, text, settings, (changed) => openUserFile(changed, file));
    const { template } = checked.defaults;
    const isNew = settings.some(({ path }) => path[0] === 'template');
    if (isNew && template !== undefined) await readTemplate(place, template, workingDirectory);
    return write();
  });
}

/** Changes a text and checks the result; `write` replaces the file. */
function tryWith<Checked>(
  file: string,
  text: string,
  settings: readonly Setting[],
  check: (text: string) => Checked,
): { readonly checked: Checked; write(): Promise<ChangedSettings> } {
  const wanted = settings.map(({ path, value }) => ({ path, value: valueIn(value) }));
  // A text that is not YAML cannot be changed; the error has its line.
  readYaml(text, file);
  try {
    const changed = wanted.reduce((whole, { path, value }) => setIn(whole, path, value), text);
    const checked = check(changed);
    const write = async (): Promise<ChangedSettings> => {
      if (changed !== text) await rewriteFile(file, changed);
      return { file, changed: wanted.map(({ path, value }) => ({ setting: path.join('.'), value })) };
    };
    return { checked, write };
  } catch (error) {
    throw error instanceof InvalidFile ? notWritten(error) : error;
  }
}

/** The error for a text that was not written, without its line numbers. */
function notWritten(error: InvalidFile): StackError {
  const problems = error.problems.map(({ message }) => message).join(' ');
  return new StackError('STACK_FILE_INVALID', `${problems} ${error.file} was not changed.`, {
    details: { path: error.file },
    cause: error,
  });
}
