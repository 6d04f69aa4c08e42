import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { isErrno } from '../../supervisor/files/json-file.js';
import { nearestHint } from '../../wire/lists/query.js';
import { StackError } from '../error.js';
import { packageFile, type Place } from '../layout.js';
import { type BroughtFile, filesOf } from './template-files.js';
import type { UserDefaults } from '../definition/user-defaults.js';
import { InvalidFile, readYaml, shapeFindings } from '../definition/yaml-text.js';

const strict = { additionalProperties: false };
const namePattern = '^[a-z][a-z0-9-]{0,31}$';

const Parameter = Type.Object(
  {
    title: Type.String({ description: 'a text' }),
    default: Type.Optional(Type.Unknown()),
    type: Type.Optional(
      Type.Union([Type.Literal('string'), Type.Literal('integer'), Type.Literal('boolean'), Type.Literal('array')], {
        description: 'string, integer, boolean or array',
      }),
    ),
    enum: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, description: 'a list of values' })),
  },
  { ...strict, description: 'a mapping with a title and, unless it must be given, a default' },
);

const TemplateFile = Type.Object(
  {
    name: Type.String({ pattern: namePattern, description: 'a name of a-z 0-9 - that begins with a letter' }),
    version: Type.Integer({ minimum: 1, description: 'a whole number from 1' }),
    description: Type.String({ description: 'a text' }),
    extends: Type.Optional(Type.String({ description: 'the name of a template' })),
    parameters: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }), Parameter, {
        ...strict,
        description: 'a mapping of names, of letters and digits, to parameters',
      }),
    ),
  },
  { ...strict, description: 'a mapping with a name, a version and a description' },
);

export type TemplateParameter = Static<typeof Parameter>;

export interface Template {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  /** Its own parameters and those of the template that it extends. */
  readonly parameters: Readonly<Record<string, TemplateParameter>>;
  readonly directory: string;
  /** `stack.yaml` with `${parameter}` placeholders. */
  readonly text: string;
  /** The template whose definition `text` extends. */
  readonly base: Template | undefined;
  /** The files that a new stack gets, including those of the template that it extends. */
  readonly files: readonly BroughtFile[];
}

export interface TemplatePlace {
  readonly name: string;
  readonly from: 'package' | 'user';
  readonly directory: string;
}

/** Every template of the package and of the user, by name; the user's take precedence. */
export async function listTemplates(place: Place): Promise<readonly TemplatePlace[]> {
  const found = new Map<string, TemplatePlace>();
  const folders = [
    ['package', packageFile('templates')],
    ['user', userTemplates(place)],
  ] as const;
  for (const [from, folder] of folders) {
    for (const name of await namesIn(folder)) found.set(name, { name, from, directory: join(folder, name) });
  }
  return [...found.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function userTemplates(place: Pick<Place, 'home'>): string {
  return join(place.home, 'templates');
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && isName(entry.name)).map(({ name }) => name);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

function isName(text: string): boolean {
  return new RegExp(namePattern).test(text);
}

/**
 * Reads a template by name (the user's first, then the package's) or, if it contains a slash, by directory.
 *
 * @throws StackError TEMPLATE_NOT_FOUND, TEMPLATE_INVALID, STACK_FILE_INVALID with all problems of its description
 */
export async function readTemplate(place: Place, name: string, workingDirectory: string): Promise<Template> {
  return readExtended(place, name, workingDirectory, []);
}

/**
 * The requested template, else that of the user's defaults, else `default`.
 *
 * @throws StackError as `readTemplate`; the hint names the user's defaults if they name the template
 */
export async function readChosenTemplate(
  place: Place,
  {
    template: requested,
    workingDirectory,
  }: {
    readonly template?: string | undefined;
    readonly workingDirectory: string;
  },
  { template: usual }: UserDefaults,
): Promise<Template> {
  try {
    return await readTemplate(place, requested ?? usual ?? 'default', workingDirectory);
  } catch (cause) {
    const isUsual = requested === undefined && usual !== undefined;
    if (!isUsual || !(cause instanceof StackError) || cause.code !== 'TEMPLATE_NOT_FOUND') throw cause;
    throw new StackError(cause.code, cause.message, {
      hint: `${place.configFile} names it. To change that: stack config set --user template=default`,
      cause,
    });
  }
}

async function readExtended(
  place: Place,
  name: string,
  workingDirectory: string,
  extending: readonly string[],
): Promise<Template> {
  const directory = await findTemplate(place, name, workingDirectory);
  if (extending.includes(directory)) {
    throw new StackError('TEMPLATE_INVALID', `The template ${name} extends itself.`, { hint: `See ${directory}.` });
  }
  const {
    extends: baseName,
    parameters = {},
    ...description
  } = await readDescription(join(directory, 'template.yaml'));
  const base =
    baseName === undefined ? undefined : await readExtended(place, baseName, directory, [...extending, directory]);
  const own = await filesOf(directory);
  const inherited = base?.files.filter(({ path }) => !own.some((file) => file.path === path)) ?? [];
  return {
    ...description,
    files: [...inherited, ...own],
    parameters: { ...base?.parameters, ...parameters },
    directory,
    text: await readText(join(directory, 'stack.yaml'), name),
    base,
  };
}

async function readText(path: string, name: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new StackError('TEMPLATE_INVALID', `The template ${name} has no ${path}.`, { cause });
  }
}

async function readDescription(path: string): Promise<Static<typeof TemplateFile>> {
  const yaml = readYaml(await readFile(path, 'utf8'), path);
  const findings = shapeFindings(TemplateFile, yaml.value);
  if (findings.length > 0 || !Value.Check(TemplateFile, yaml.value)) {
    throw new InvalidFile(path, yaml.problemsOf(findings));
  }
  return yaml.value;
}

async function findTemplate(place: Place, name: string, workingDirectory: string): Promise<string> {
  const isPath = name.includes('/') || isAbsolute(name);
  const candidates = isPath
    ? [resolve(workingDirectory, name)]
    : [join(userTemplates(place), name), packageFile(`templates/${name}`)];
  for (const directory of isPath || isName(name) ? candidates : []) {
    if (await isReadable(join(directory, 'template.yaml'))) return directory;
  }
  const names = (await listTemplates(place)).map((each) => each.name);
  throw new StackError('TEMPLATE_NOT_FOUND', `There is no template ${name}${nearestHint(name, names)}`, {
    hint: 'List the templates: stack template list. Or give the path of a folder with a template.yaml.',
  });
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await readFile(path);
    return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}
