import type { Client } from '../../client/client.js';
import type { ContractInterface, FfiMethod } from '../../wire/contract.js';
import { nearestHint } from '../../wire/query.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../exit.js';
import { keysOfWord, readOwners } from '../owners.js';
import { openTarget, type Surroundings, type Target, type TargetFlags } from '../target.js';
import { callInput } from './input.js';

/** The words of a call of a contract API. */
export interface MethodWords extends TargetFlags {
  /** The name of the contract API. */
  readonly api: string;
  /** The method by its name or, of several with one name and as many arguments, by its path, such as `open_1`. */
  readonly method: string;
  readonly arguments: readonly string[];
}

export interface PreparedCall {
  readonly target: Target;
  readonly path: { readonly name: string; readonly method: string };
  readonly input: JsonText;
  /** The address that a name stands for, where the network knows it. */
  readonly addressOf: (word: string) => string;
}

/**
 * Looks a method up and writes its arguments as the node takes them.
 *
 * @throws CliError NOT_FOUND for a method that there is not, USAGE for arguments that it does not take; ClientError
 */
export async function prepareCall(words: MethodWords, surroundings: Surroundings): Promise<PreparedCall> {
  const target = await openTarget(words, surroundings);
  const { client } = target.party;
  const { methods = [] } = await interfaceOf(client, words.api);
  const method = chooseMethod(methods, words);
  if (method === undefined) {
    const near = nearestHint(words.method, methods.map(pathOf));
    throw new CliError('NOT_FOUND', `The contract API ${words.api} has no method "${words.method}"${near}`);
  }
  const owners = await readOwners(client);
  const addressOf = (word: string) => keysOfWord(word, owners, target)[0] ?? word;
  return {
    ...{ target, path: { name: words.api, method: pathOf(method) }, addressOf },
    input: callInput(method, words.arguments, addressOf),
  };
}

/** The method of a name or path; of several with one name the one that takes as many arguments as were typed. */
function chooseMethod(methods: readonly FfiMethod[], words: MethodWords): FfiMethod | undefined {
  const named = methods.filter((each) => each.name === words.method || pathOf(each) === words.method);
  const fitting = named.find(({ params }) => params.length === words.arguments.length);
  return fitting ?? named[0];
}

function pathOf({ name, pathname = name }: FfiMethod): string {
  return pathname;
}

/** What the contract of an API offers. @throws ClientError */
export async function interfaceOf(client: Client, api: string): Promise<ContractInterface> {
  return (await client.getContractApiInterface({ path: { name: api } })).value;
}
