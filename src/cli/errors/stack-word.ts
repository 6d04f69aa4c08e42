import { quote } from '../../client/curl.js';
import { StackError } from '../../stack/error.js';
import { placeFrom } from '../../stack/layout.js';
import { readRegistry } from '../../stack/places/registry.js';
import type { Environment } from '../terminal/output.js';
import { CliError } from './exit.js';
import { namingCommands, typedStack } from './named-stack.js';
import type { TypedCommand } from './usage-error.js';

/**
 * Adds a hint to a failure whose cause is the name of a stack among the arguments: `start` and a few other commands
 * take it there, all others as a flag. Returns any other failure unchanged.
 */
export async function withStackHint(
  error: Error,
  { program, id, words, flags }: Pick<TypedCommand, 'program' | 'id' | 'words'> & { readonly flags: object },
  environment: Environment,
): Promise<Error> {
  if (!(error instanceof CliError || error instanceof StackError) || !isAboutWord(error)) return error;
  if (!('stack' in flags) || namingCommands.includes(id) || typedStack(words) !== undefined) return error;
  const name = await stackIn(words, environment);
  const isOnlyOne = error.code !== 'USAGE' || error.message === `${tooMany}${name ?? ''}`;
  if (name === undefined || !isOnlyOne) return error;
  const others = words.filter((word) => word !== name).map(quote);
  const hint = `"${name}" is a stack. Choose it with -s: ${[program, id, ...others].join(' ')} -s ${name}`;
  const options = { hint, details: error.details, cause: error };
  return error instanceof CliError
    ? new CliError(error.code, error.message, options)
    : new StackError(error.code, error.message, options);
}

/** The begin of the failure for words after all arguments. */
const tooMany = 'Unexpected: ';

function isAboutWord({ code, message }: CliError | StackError): boolean {
  return code === 'SERVICE_NOT_FOUND' || code === 'NOT_FOUND' || (code === 'USAGE' && message.startsWith(tooMany));
}

async function stackIn(words: readonly string[], environment: Environment): Promise<string | undefined> {
  // A registry that cannot be read is not the failure at hand; the next command that needs it says so.
  const stacks = await readRegistry(placeFrom(environment)).catch(() => ({}));
  return words.find((word) => Object.hasOwn(stacks, word));
}
