import { type Artifact, artifactsOf, constructorOf, isLinked, parameterText } from '../../client/artifact.js';
import { textOf } from '../../wire/json/json.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../errors/exit.js';
import { jsonValue } from '../requests/payload.js';
import { plural } from '../terminal/text.js';

/**
 * Reads the contracts from the output of a compiler. `fallback` names a contract without a name.
 *
 * @throws CliError USAGE if there are none
 */
export function readArtifacts(text: string, path: string, fallback: string): readonly Artifact[] {
  const found = artifactsOf(jsonValue(text, path), fallback);
  if (found.length > 0) return found;
  throw new CliError('USAGE', `${path} has no compiled contract to deploy.`, {
    hint: 'The file must have abi and bytecode, as written by solc, Hardhat or Foundry.',
  });
}

/** Chooses a contract to deploy by `name` or `file:name`. @throws CliError USAGE, with the names of all contracts */
export function chooseArtifact(artifacts: readonly Artifact[], wanted: string | undefined): Artifact {
  const chosen = chooseContract(artifacts, wanted);
  if (isLinked(chosen)) return chosen;
  throw new CliError('USAGE', `The bytecode of ${chosen.name} is incomplete: link its libraries first.`);
}

/** Chooses a contract by `name` or `file:name`. @throws CliError USAGE, with the names of all contracts */
export function chooseContract(artifacts: readonly Artifact[], wanted: string | undefined): Artifact {
  const matches = (each: Artifact): boolean => wanted === undefined || [each.name, placeOf(each)].includes(wanted);
  const found = artifacts.filter(matches);
  const [first] = found;
  const known = artifacts.map(placeOf).join(', ');
  if (first === undefined) {
    throw new CliError('USAGE', `There is no contract ${wanted ?? ''}. Existing contracts: ${known}.`);
  }
  if (found.length > 1) throw new CliError('USAGE', `--contract is required: one of ${namesOf(found).join(', ')}.`);
  return first;
}

function placeOf({ name, source }: Artifact): string {
  return source === undefined ? name : `${source}:${name}`;
}

/** The names of contracts, with their files if two have the same name. */
function namesOf(artifacts: readonly Artifact[]): readonly string[] {
  const names = artifacts.map(({ name }) => name);
  return new Set(names).size === names.length ? names : artifacts.map(placeOf);
}

/**
 * Converts the constructor's arguments to JSON: numbers as digits, so that none is rounded; addresses may be names,
 * which `addressOf` resolves; lists and tuples are JSON.
 *
 * @throws CliError USAGE for too many or too few arguments, and for invalid JSON
 */
export function constructorInput(
  artifact: Artifact,
  words: readonly string[],
  addressOf: (word: string) => string,
): JsonText {
  const parameters = constructorOf(artifact);
  if (parameters.length !== words.length) {
    const takes = parameters.length === 0 ? 'no arguments' : `(${parameters.map(parameterText).join(', ')})`;
    throw new CliError(
      'USAGE',
      `The constructor of ${artifact.name} takes ${takes}, not ${plural(words.length, 'argument')}.`,
    );
  }
  const members = words.map((word, index) => argumentText(parameters[index]?.type ?? '', word, addressOf));
  return jsonValue(`[${members.join(',')}]`, 'The list of arguments');
}

/** Converts an argument to JSON by its Solidity type. @throws CliError USAGE for a list or tuple that is not JSON */
export function argumentText(type: string, word: string, addressOf: (word: string) => string): string {
  if (type.endsWith(']') || type.startsWith('tuple')) return jsonValue(word, `The argument ${word}`);
  if (type === 'address') return textOf(addressOf(word));
  if (type === 'bool' && (word === 'true' || word === 'false')) return word;
  return textOf(word);
}
