import { nearestHint } from '../wire/query.js';

/** What oclif's parser has to say about flags and arguments, in our words. */
export interface UsageProblem {
  readonly message: string;
  readonly hint: string;
}

/** Reads an error of oclif's parser; undefined for any other error. `program` is the name that was typed. */
export function usageProblem(error: unknown, program: string): UsageProblem | undefined {
  if (!(error instanceof Error) || !('parse' in error || error.constructor.name === 'CLIError')) return undefined;
  const id = textAt(error, ['parse', 'input', 'context', 'id']).replaceAll(':', ' ');
  const hint = id === '' ? `See ${program} help.` : `See ${program} ${id} --help.`;
  const flags = listAt(error, ['flags']).map(String);
  if (error.constructor.name === 'NonExistentFlagsError') {
    const known = Object.keys(recordAt(error, ['parse', 'input', 'flags'])).map((name) => `--${name}`);
    const near = flags.map((flag) => nearestHint(flag, known)).find((text) => text.startsWith(' — '));
    return { message: `There is no flag ${flags.join(', ')}${near ?? '.'}`, hint };
  }
  if (error.constructor.name === 'RequiredArgsError') {
    const missing = listAt(error, ['args']).map(
      (argument) => `${textAt(argument, ['name'])} (${textAt(argument, ['description'])})`,
    );
    return { message: `Missing: ${missing.join(', ')}.`, hint };
  }
  const plain = error.message.split(/\n\s*See more help/)[0] ?? error.message;
  return { message: inOurWords(plain.replaceAll(/\s*\n\s*/g, ' ').trim()), hint };
}

/** What the parser says of flags that need or exclude each other, shorter. */
function inOurWords(text: string): string {
  const plain = text.replace(/^The following errors? occurred: /, '');
  const [, missing] = /^Missing required flag (\S+)$/.exec(plain) ?? [];
  if (missing !== undefined) return `Missing: --${missing}.`;
  const [, flag, needed] = /^All of the following must be provided when using (--\S+): (.*)$/.exec(plain) ?? [];
  if (flag !== undefined && needed !== undefined) return `${flag} needs ${needed}.`;
  const [, one, other] = /^(--[\w-]+)\S* cannot also be provided when using (--\S+)$/.exec(plain) ?? [];
  return one !== undefined && other !== undefined ? `${one} and ${other} cannot be used together.` : plain;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) current = current instanceof Object ? Reflect.get(current, name) : undefined;
  return current;
}

function textAt(value: unknown, path: readonly string[]): string {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : '';
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

function recordAt(value: unknown, path: readonly string[]): object {
  const found = valueAt(value, path);
  return found instanceof Object ? found : {};
}
