import { parse } from 'yaml';
import { nearestHint } from '../../wire/lists/query.js';
import { StackError } from '../error.js';
import type { Template, TemplateParameter } from '../templates/template.js';
import { flowText, setInYaml } from './yaml-edit.js';
import { yamlOptions } from './yaml-options.js';

/** One `--set dotted.path=value`; the value is parsed as YAML. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: string;
}

/**
 * Renders a `stack.yaml`: the template's text with its parameters, on top of the template that it extends, then the
 * settings; a setting with the name of a parameter is that parameter's value. The result is deterministic.
 *
 * @throws StackError TEMPLATE_INVALID if a parameter has neither a value nor a default, or an invalid one
 */
export function renderTemplate(
  template: Template,
  values: Readonly<Record<string, unknown>>,
  settings: readonly Setting[],
): string {
  const isParameter = ({ path }: Setting) => path.length === 1 && Object.hasOwn(template.parameters, path[0] ?? '');
  const given = settings.filter(isParameter).map(({ path, value }) => [path[0] ?? '', valueIn(value)] as const);
  const rendered = renderText(template, { ...values, ...Object.fromEntries(given) });
  return settings
    .filter((setting) => !isParameter(setting))
    .reduce((text, { path, value }) => setIn(text, path, valueIn(value)), rendered);
}

/** Parses a YAML value. @throws StackError STACK_FILE_INVALID */
export function valueIn(text: string): unknown {
  try {
    return parse(text, yamlOptions);
  } catch (cause) {
    throw new StackError('STACK_FILE_INVALID', `The value ${text} is not valid YAML.`, {
      hint: 'Put it in quotes for the shell and for YAML.',
      cause,
    });
  }
}

/** Calls `setInYaml`, with an error for users. @throws StackError STACK_FILE_INVALID */
export function setIn(text: string, path: readonly string[], value: unknown): string {
  try {
    return setInYaml(text, path, value);
  } catch (cause) {
    throw new StackError('STACK_FILE_INVALID', cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function renderText(template: Template, values: Readonly<Record<string, unknown>>): string {
  const text = template.text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) =>
    flowText(parameterValue(template, name, values)),
  );
  if (template.base === undefined) return text;
  const base = renderText(template.base, values);
  const added: unknown = parse(text, yamlOptions);
  return valuesByPath(added).reduce((whole, [path, value]) => setIn(whole, path, value), base);
}

/** The members of nested mappings by path. Lists are values, which an extension replaces as a whole. */
function valuesByPath(value: unknown, path: readonly string[] = []): (readonly [readonly string[], unknown])[] {
  const isMapping = value instanceof Object && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isMapping) return path.length === 0 ? [] : [[path, value]];
  return Object.entries(value).flatMap(([key, member]) => valuesByPath(member, [...path, key]));
}

function parameterValue(template: Template, name: string, values: Readonly<Record<string, unknown>>): unknown {
  const { parameters } = template;
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) {
    const near = nearestHint(name, Object.keys(parameters));
    throw new StackError('TEMPLATE_INVALID', `${template.directory}: there is no parameter ${name}${near}`);
  }
  const value = (Object.hasOwn(values, name) ? values[name] : undefined) ?? parameter.default;
  if (value === undefined) {
    throw new StackError('TEMPLATE_INVALID', `The template ${template.name} needs a value for ${name}.`, {
      hint: `Add --set ${name}=VALUE.`,
    });
  }
  requireFitting(name, value, parameter);
  return value;
}

const kinds: Readonly<Record<NonNullable<TemplateParameter['type']>, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
};

function requireFitting(name: string, value: unknown, { type, enum: values }: TemplateParameter): void {
  const allowed = values?.map((each) => JSON.stringify(each));
  const isFitting = (type === undefined || kinds[type](value)) && (allowed?.includes(JSON.stringify(value)) ?? true);
  if (isFitting) return;
  const ofType = type === 'array' ? 'a list' : `a value of type ${type}`;
  const expected = allowed === undefined ? ofType : `one of ${allowed.join(', ')}`;
  throw new StackError('TEMPLATE_INVALID', `The parameter ${name} must be ${expected}, not ${JSON.stringify(value)}.`);
}
