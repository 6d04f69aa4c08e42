import type { targetFlags } from '../flags.js';
import type { FlagsOf } from '../flag-types.js';
import type { Client } from '../../client/client.js';
import { ClientError } from '../../client/errors.js';
import { readPage } from '../../client/page.js';
import type { ContractInterface, FfiMethod } from '../../wire/contracts/contract.js';
import { nearestHint } from '../../wire/lists/query.js';
import type { JsonText } from '../../wire/scalar.js';
import { CliError } from '../errors/exit.js';
import { keysOfWord, readOwners } from '../requests/owners.js';
import { openTarget, type CommandContext, type Target } from '../requests/target.js';
import { callInput } from './input.js';

export type MethodFlags = FlagsOf<typeof targetFlags> & {
  /** The name of the contract API. */
  readonly api: string;
  /** The name or path of the method. Several with the same name have paths such as `open_1`. */
  readonly method: string;
  readonly arguments: readonly string[];
};

export interface PreparedCall {
  readonly target: Target;
  readonly path: { readonly name: string; readonly method: string };
  readonly input: JsonText;
  /** Resolves a name to an address; returns an unknown word unchanged. */
  readonly addressOf: (word: string) => string;
}

/**
 * Finds a method and converts its arguments to the node's form.
 *
 * @throws CliError NOT_FOUND for an unknown method, USAGE for wrong arguments; ClientError
 */
export async function prepareCall(flags: MethodFlags, context: CommandContext): Promise<PreparedCall> {
  const target = await openTarget(flags, context);
  const { client } = target.party;
  const { methods = [] } = await interfaceOf(client, flags.api);
  const method = chooseMethod(methods, flags);
  if (method === undefined) {
    const near = nearestHint(flags.method, methods.map(pathOf));
    throw new CliError('NOT_FOUND', `The contract API ${flags.api} has no method "${flags.method}"${near}`);
  }
  const owners = await readOwners(client);
  const addressOf = (word: string) => keysOfWord(word, owners, target)[0] ?? word;
  return {
    target,
    path: { name: flags.api, method: pathOf(method) },
    addressOf,
    input: callInput(method, flags.arguments, addressOf),
  };
}

/** Chooses a method by name or path; of several with the same name, the one with the typed number of arguments. */
function chooseMethod(methods: readonly FfiMethod[], flags: MethodFlags): FfiMethod | undefined {
  const named = methods.filter((each) => each.name === flags.method || pathOf(each) === flags.method);
  const fitting = named.find(({ params }) => params.length === flags.arguments.length);
  return fitting ?? named[0];
}

function pathOf({ name, pathname = name }: FfiMethod): string {
  return pathname;
}

/** The interface of a contract API. @throws CliError NOT_FOUND; ClientError */
export async function interfaceOf(client: Client, api: string): Promise<ContractInterface> {
  try {
    return (await client.getContractApiInterface({ path: { name: api } })).value;
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 404)) throw error;
    const { entries } = await readPage(client, 'listContractApis', []);
    const near = nearestHint(
      api,
      entries.map(({ value }) => value.name),
    );
    throw new CliError('NOT_FOUND', `There is no contract API "${api}"${near}`, { cause: error });
  }
}
