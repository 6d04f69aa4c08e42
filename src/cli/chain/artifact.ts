import { type Artifact, artifactsOf, constructorOf, isLinked, parameterWords } from '../../client/artifact.js';
import { textOf } from '../../wire/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../exit.js';
import { jsonValue } from '../payload.js';

/**
 * The contracts in the output of a compiler. `fallback` names the one that has no name of its own.
 *
 * @throws CliError USAGE when there are none
 */
export function readArtifacts(text: string, path: string, fallback: string): readonly Artifact[] {
  const found = artifactsOf(jsonValue(text, path), fallback);
  if (found.length > 0) return found;
  throw new CliError('USAGE', `${path} has no compiled contract that could be deployed.`, {
    hint: 'Expected is an object with abi and bytecode, as solc, Hardhat and Foundry write it.',
  });
}

/**
 * The contract that is meant, by its name or as `file:name`.
 *
 * @throws CliError USAGE, which names those that there are
 */
export function chooseArtifact(artifacts: readonly Artifact[], wanted: string | undefined): Artifact {
  const isMeant = (each: Artifact): boolean => wanted === undefined || [each.name, placeOf(each)].includes(wanted);
  const meant = artifacts.filter(isMeant);
  const [first] = meant;
  const known = artifacts.map(placeOf).join(', ');
  if (first === undefined) throw new CliError('USAGE', `There is no contract ${wanted ?? ''}: there are ${known}.`);
  if (meant.length > 1) throw new CliError('USAGE', `--contract is required: ${namesOf(meant).join(', ')}`);
  if (isLinked(first)) return first;
  throw new CliError('USAGE', `The bytecode of ${first.name} is not complete: link its libraries first.`);
}

function placeOf({ name, source }: Artifact): string {
  return source === undefined ? name : `${source}:${name}`;
}

/** Names, with their files where two are the same. */
function namesOf(artifacts: readonly Artifact[]): readonly string[] {
  const names = artifacts.map(({ name }) => name);
  return new Set(names).size === names.length ? names : artifacts.map(placeOf);
}

/**
 * The arguments of the constructor as JSON: numbers as digits, so that none is rounded; addresses may be names, which
 * `addressOf` knows; lists and tuples are JSON.
 *
 * @throws CliError USAGE for too many or too few, and for what is no JSON
 */
export function constructorInput(
  artifact: Artifact,
  words: readonly string[],
  addressOf: (word: string) => string,
): JsonText {
  const parameters = constructorOf(artifact);
  if (parameters.length !== words.length) {
    const takes = parameters.length === 0 ? 'no arguments' : `(${parameters.map(parameterWords).join(', ')})`;
    throw new CliError('USAGE', `${artifact.name} is created with ${takes}; ${words.length} came.`);
  }
  const members = words.map((word, index) => argumentText(parameters[index]?.type ?? '', word, addressOf));
  return jsonValue(`[${members.join(',')}]`, 'The list of arguments');
}

/** An argument as JSON, by its type in Solidity. @throws CliError USAGE for a list or tuple that is no JSON */
export function argumentText(type: string, word: string, addressOf: (word: string) => string): string {
  if (type.endsWith(']') || type.startsWith('tuple')) return jsonValue(word, `The argument ${word}`);
  if (type === 'address') return textOf(addressOf(word));
  if (type === 'bool' && (word === 'true' || word === 'false')) return word;
  return textOf(word);
}
