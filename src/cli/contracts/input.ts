import { textOf, valueOf } from '../../wire/json/json.js';
import type { FfiParameter } from '../../wire/contracts/contract.js';
import type { JsonText } from '../../wire/scalar.js';
import { argumentText } from '../chain/artifact.js';
import { CliError } from '../errors/exit.js';
import { jsonValue } from '../requests/payload.js';
import { plural } from '../terminal/text.js';

interface Callable {
  readonly name: string;
  readonly params: readonly FfiParameter[];
}

/**
 * Converts the arguments of a method to the object that a node expects: numbers as digits, so that none is rounded;
 * addresses may be names, which `addressOf` resolves; lists and tuples are JSON.
 *
 * @throws CliError USAGE for too many or too few arguments, and for invalid JSON
 */
export function callInput(
  { name, params }: Callable,
  words: readonly string[],
  addressOf: (word: string) => string,
): JsonText {
  if (params.length !== words.length) {
    const named = params.map((parameter) => `${typeOf(parameter)} ${parameter.name}`.trim());
    const takes = named.length === 0 ? 'no arguments' : `(${named.join(', ')})`;
    throw new CliError('USAGE', `${name} takes ${takes}, not ${plural(words.length, 'argument')}.`);
  }
  const members = params.map((parameter, index) => {
    return `${textOf(parameter.name)}:${argumentText(typeOf(parameter), words[index] ?? '', addressOf)}`;
  });
  return jsonValue(`{${members.join(',')}}`, 'The list of arguments');
}

/** The Solidity type of a parameter, from its schema; empty if it has none. */
function typeOf({ schema }: FfiParameter): string {
  const value = valueOf(schema);
  const details: unknown = value instanceof Object ? Reflect.get(value, 'details') : undefined;
  const type: unknown = details instanceof Object ? Reflect.get(details, 'type') : undefined;
  return typeof type === 'string' ? type : '';
}
