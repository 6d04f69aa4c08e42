import { CliError } from '../errors/exit.js';

/** Names whose values are known before the first step. */
export const fixedNames = ['run', 'first', 'second', 'last', 'connector'] as const;

/** Placeholders of bulk sends, which the sending commands replace. */
const bulkNames: ReadonlySet<string> = new Set(['n', 'uuid', 'now', 'rand']);

const placeholder = /\{\{\s*([a-z][\w-]*)((?:\.[\w-]+)*)[^}]*\}\}/gi;

/** The values of placeholders: those of `fixedNames`, and the answers of steps by name. */
export type Values = ReadonlyMap<string, unknown>;

/** The first names of all placeholders in a value, without those of bulk sends. */
export function namesIn(value: unknown): readonly string[] {
  const found = JSON.stringify(value ?? null).matchAll(placeholder);
  return [...found].map(([, name = '']) => name).filter((name) => !bulkNames.has(name));
}

/** Replaces placeholders such as `{{send.id}}` in all texts of a value. @throws CliError USAGE if one has no value */
export function fill(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((each: unknown) => fill(each, values));
  if (!(value instanceof Object)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, values)]));
}

/** `fill` for a text. @throws CliError USAGE */
export function fillText(text: string, values: Values): string {
  return text.replaceAll(placeholder, (whole, name: string, path: string) => {
    if (bulkNames.has(name)) return whole;
    const found = memberOf(values.get(name), path.split('.').slice(1));
    if (typeof found === 'string' || typeof found === 'number') return String(found);
    throw new CliError(
      'USAGE',
      `${whole} has no value${values.has(name) ? '' : ': the step was skipped or not reached'}.`,
    );
  });
}

/** A member of an answer. `id` is also looked up in the header, for a message. */
function memberOf(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (!(value instanceof Object)) return undefined;
  const direct: unknown = Reflect.get(value, key);
  return direct === undefined && key === 'id' ? memberOf(value, ['header', 'id']) : memberOf(direct, rest);
}
