import { readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse, parseDocument } from 'yaml';
import { isErrno } from '../supervisor/json-file.js';
import { StackError } from './error.js';
import { packageFile, type Place } from './layout.js';

const builtIn = ['minimal', 'default', 'tokens', 'ci'];

const TemplateFile = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    version: Type.Integer({ minimum: 1 }),
    description: Type.String(),
    parameters: Type.Record(
      Type.String({ pattern: '^[a-z][A-Za-z0-9]*$' }),
      Type.Object(
        { title: Type.String(), default: Type.Optional(Type.Unknown()) },
        {
          additionalProperties: false,
          description: 'a parameter with a title and, unless it must be given, a default',
        },
      ),
    ),
  },
  { additionalProperties: false },
);

export interface Template {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly parameters: Static<typeof TemplateFile>['parameters'];
  /** `stack.yaml` with `${parameter}` in it. */
  readonly text: string;
}

/**
 * The template of a name (the user's own first, then the package's) or, if it has a slash, of a directory.
 *
 * @throws StackError TEMPLATE_NOT_FOUND, TEMPLATE_INVALID
 */
export async function readTemplate(place: Place, name: string, workingDirectory: string): Promise<Template> {
  const directory = await findTemplate(place, name, workingDirectory);
  const description: unknown = parse(await readFile(join(directory, 'template.yaml'), 'utf8'));
  if (!Value.Check(TemplateFile, description)) {
    const first = Value.Errors(TemplateFile, description).First();
    throw new StackError('TEMPLATE_INVALID', `The template ${name} is not valid at ${first?.path}: ${first?.message}.`);
  }
  return { ...description, text: await readFile(join(directory, 'stack.yaml'), 'utf8') };
}

async function findTemplate(place: Place, name: string, workingDirectory: string): Promise<string> {
  const isPath = name.includes('/') || isAbsolute(name);
  const candidates = isPath
    ? [resolve(workingDirectory, name)]
    : [join(place.home, 'templates', name), ...(builtIn.includes(name) ? [packageFile(`templates/${name}`)] : [])];
  const isName = /^[a-z][a-z0-9-]{0,31}$/.test(name);
  for (const directory of isPath || isName ? candidates : []) {
    if (await isReadable(join(directory, 'template.yaml'))) return directory;
  }
  throw new StackError('TEMPLATE_NOT_FOUND', `There is no template ${name}.`, {
    hint: `There are ${builtIn.join(', ')}; a path to a directory with a template.yaml works too.`,
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

/** One `--set dotted.path=value`; the value is read as YAML. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: string;
}

/**
 * The text of a `stack.yaml`: the template's with its parameters and then the settings in place. The same input gives
 * the same text.
 *
 * @throws StackError TEMPLATE_INVALID when a parameter has neither a value nor a default, or is unknown
 */
export function renderTemplate(
  template: Template,
  values: Readonly<Record<string, unknown>>,
  settings: readonly Setting[],
): string {
  const rendered = template.text.replaceAll(/\$\{([A-Za-z0-9]+)\}/g, (_, name: string) => {
    const value = values[name] ?? template.parameters[name]?.default;
    if (value === undefined) {
      throw new StackError('TEMPLATE_INVALID', `The template ${template.name} needs a value for ${name}.`);
    }
    return JSON.stringify(value);
  });
  if (settings.length === 0) return rendered;
  const document = parseDocument(rendered);
  for (const { path, value } of settings) document.setIn(path, document.createNode(parse(value)));
  return document.toString({ lineWidth: 0 });
}
