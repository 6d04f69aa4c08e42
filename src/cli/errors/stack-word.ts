import { quote } from '../../client/curl.js';
import { StackError } from '../../stack/error.js';
import type { Environment } from '../terminal/output.js';
import { CliError } from './exit.js';
import { namingCommands, typedStack } from './named-stack.js';
import type { TypedCommand } from './usage-error.js';

/** The part of a typed command that a hint about a stack needs. */
type Called = Pick<TypedCommand, 'program' | 'id' | 'words'> & { readonly flags: object };

/**
 * Adds a hint to a failure whose cause is the name of a stack among the arguments: `start` and a few other commands
 * take it there, all others as a flag. Returns any other failure unchanged.
 */
export async function withStackHint(
  error: Error,
  { program, id, words, flags }: Called,
  environment: Environment,
): Promise<Error> {
  if (!(error instanceof CliError || error instanceof StackError)) return error;
  if (!('stack' in flags) || namingCommands.includes(id) || typedStack(words) !== undefined) return error;
  const name = wrongWord(error);
  // The last one, since the value of a flag may be the same word.
  const place = words.lastIndexOf(name ?? '');
  if (name === undefined || place < 0 || !(await isStack(name, environment))) return error;
  const others = words.toSpliced(place, 1).map(quote);
  const hint = `"${name}" is a stack. Choose it with -s: ${[program, id, ...others].join(' ')} -s ${name}`;
  const options = { hint, details: error.details, cause: error };
  return error instanceof CliError
    ? new CliError(error.code, error.message, options)
    : new StackError(error.code, error.message, options);
}

/** The argument that names no service or party of the stack, or the only one that a command does not take. */
function wrongWord({ code, message, details }: CliError | StackError): string | undefined {
  if (code === 'USAGE') return /^Unexpected: (\S+)$/.exec(message)?.[1];
  const { name } = details;
  return (code === 'SERVICE_NOT_FOUND' || code === 'NOT_FOUND') && typeof name === 'string' ? name : undefined;
}

async function isStack(name: string, environment: Environment): Promise<boolean> {
  // Loaded here, since few failures need it.
  const [{ placeFrom }, { readRegistry }] = await Promise.all([
    import('../../stack/layout.js'),
    import('../../stack/places/registry.js'),
  ]);
  // A registry that cannot be read is not the failure at hand; the next command that needs it says so.
  return Object.hasOwn(await readRegistry(placeFrom(environment)).catch(() => ({})), name);
}
