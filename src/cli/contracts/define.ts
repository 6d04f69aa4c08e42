import type { defineContractFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { basename } from 'node:path';
import { contractsOf, contractsToDescribe } from '../../client/artifact.js';
import { ClientError } from '../../client/errors.js';
import type { Entry } from '../../client/page.js';
import { observe } from '../../client/until.js';
import { valueOf, textOf } from '../../wire/json/json.js';
import type { ContractApi, ContractInterface } from '../../wire/contracts/contract.js';
import type { JsonText } from '../../wire/scalar.js';
import { chooseContract } from '../chain/artifact.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { withDelay } from '../explain/overdue.js';
import { isAddress } from '../requests/owners.js';
import { withMember } from '../requests/json-text.js';
import { jsonValue, loadText, payloadSource } from '../requests/payload.js';
import { noteWhileWaiting } from '../terminal/slow-note.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type CommandContext, type PartyNode, type Target } from '../requests/target.js';
import { plural, safe } from '../terminal/text.js';
import { type Made, makeContract } from './make.js';

export type DefineContractFlags = FlagsOf<typeof defineContractFlags> & {
  /** A compiled contract or its ABI; `-` = stdin. */
  readonly file: string;
};

const types = '^(contract_interface_confirmed|contract_api_confirmed|message_(confirmed|rejected))$';

/**
 * `stack contract define`: creates an interface from an ABI and, if the contract's address is given, a contract API for
 * `contract call`, `query` and `listen`. Waits until both are usable at the requested parties.
 *
 * An interface or API that exists already with the same content is not created again.
 *
 * @throws CliError USAGE, TIMEOUT, REJECTED, CONFLICT; ClientError, UnreachableError
 */
export async function defineContract(flags: DefineContractFlags, context: CommandContext): Promise<void> {
  const { output, program } = context;
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  requireAddress(flags.address);
  const abi = await readAbi(flags);
  const target = await openTarget(flags, context);
  const scope = flags['no-wait'] ? 'none' : (flags.wait ?? 'local');
  const awaited = scope === 'none' ? [] : scope === 'local' || !flags.publish ? [target.party] : target.parties;
  const watched = awaited.map((party) => {
    return { party, observer: observe({ client: party.client, openSocket: target.openSocket, types }) };
  });
  const missing = new Set(awaited.map(({ name }) => name));
  const endNotes = noteWhileWaiting(output, () => [...missing]);
  const signal = limitSignal(timeoutMs);
  try {
    const { name, version, address, publish } = flags;
    const request = { name, version, address, publish, abi };
    const made = await makeContract(request, { client: target.party.client, program, signal });
    const served = await Promise.all(
      watched.map(async ({ party, observer }) => {
        const entry = await observer.until((limit) => servedAt(party, made, flags, limit), signal);
        missing.delete(party.name);
        return { party, entry };
      }),
    );
    const own = served.find(({ party }) => party === target.party)?.entry ?? made.api ?? made.contract;
    await printDefined(flags, own, { made, target, count: served.length }, context);
  } catch (error) {
    if (!(signal.aborted && error === signal.reason)) throw error;
    const late = new CliError('TIMEOUT', `${flags.name} was not usable at ${[...missing].join(', ')} in time.`, {
      hint: `It may still succeed. See: ${program} api GET contracts/interfaces/${flags.name}/${flags.version}`,
      details: { missing: [...missing] },
    });
    throw await withDelay(late, target, context);
  } finally {
    endNotes();
    for (const { observer } of watched) observer.close();
  }
}

/**
 * The API, or the interface if there is no API, as a party serves it; undefined while the party cannot use it yet.
 *
 * @throws CliError REJECTED if another definition was first
 */
async function servedAt(
  { client, name: party }: PartyNode,
  { contract, api }: Made,
  { name, version, publish }: DefineContractFlags,
  signal: AbortSignal,
): Promise<Entry<ContractInterface | ContractApi> | undefined> {
  try {
    const found =
      api === undefined
        ? await client.getContractInterfaceVersion({ path: { name, version }, signal })
        : await client.getContractApi({ path: { api: name }, signal });
    const wanted = api?.value.id ?? contract.value.id;
    if (found.value.id !== wanted) {
      throw new CliError('REJECTED', `Another definition of ${name} was first at ${party}.`, {
        details: { id: wanted ?? null, party },
      });
    }
    return publish && found.value.published !== true ? undefined : found;
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined;
    throw error;
  }
}

/** Refuses an invalid address before anything is published. @throws CliError USAGE */
function requireAddress(address: string | undefined): void {
  if (address === undefined || isAddress(address)) return;
  throw new CliError('USAGE', `--address must be 0x and 40 hexadecimal digits, not "${safe(address)}".`, {
    hint: 'It is the address of the contract on the chain.',
  });
}

/**
 * Reads the ABI in a file: the file itself, or that of a contract in the output of a compiler. Contracts without code,
 * such as imported interfaces, are taken if they are named, or if there are no others.
 *
 * @throws CliError USAGE
 */
async function readAbi({ file, contract }: DefineContractFlags): Promise<JsonText> {
  const source = file === '-' ? payloadSource('-') : ({ kind: 'file', path: file } as const);
  const text = jsonValue(await loadText(source, () => readAll(process.stdin)), file === '-' ? 'stdin' : file);
  const name = basename(file, '.json');
  const value = valueOf(text);
  const contracts = Array.isArray(value) ? [{ name, abi: value, bytecode: '0x' }] : contractsOf(text, name);
  if (contracts.length === 0) {
    throw new CliError('USAGE', `${file} has no ABI.`, {
      hint: 'Expected: an ABI, or contracts with a member abi, as written by solc, Hardhat or Foundry.',
    });
  }
  const choice = contract === undefined ? contractsToDescribe(contracts) : contracts;
  return textOf(chooseContract(choice, contract).abi);
}

async function printDefined(
  { name, version, address }: DefineContractFlags,
  own: Entry<ContractInterface | ContractApi>,
  { made, target, count }: { readonly made: Made; readonly target: Target; readonly count: number },
  { output, program }: CommandContext,
): Promise<void> {
  const { methods = [], events = [] } = made.contract.value;
  if (output.isJson) await output.json(withMember(own.text, 'stack', textOf({ schemaVersion: 1, parties: count })));
  else if (output.isQuiet) await output.line(own.value.id ?? '');
  else {
    const mark = output.out.isTerminal && count > 0 ? `${output.out.paint('green', '✓')} ` : '';
    const where = count > 1 ? `${count}/${plural(target.parties.length, 'party', 'parties')}` : target.party.name;
    const state = count === 0 ? 'is on its way' : `usable at ${where}`;
    const offers = `${plural(methods.length, 'method')}, ${plural(events.length, 'event')}`;
    const next = output.out.isTerminal ? '\n  ' : ' · ';
    const at = address === undefined ? '' : `${next}contract API ${safe(name)} at ${safe(address)}`;
    await output.line(`${mark}${safe(`${name}@${version}`)} (${offers}) ${state}${at}`);
    if (count === 0) await output.note(`Check the result: ${program} api GET contracts/interfaces/${name}/${version}`);
  }
}
