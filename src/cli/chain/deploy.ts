import type { deployFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { basename } from 'node:path';
import { observe } from '../../client/until.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { Operation } from '../../wire/chain/transaction.js';
import { chooseArtifact, constructorInput, readArtifacts } from './artifact.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { withDelay } from '../explain/overdue.js';
import { withMember } from '../requests/json-text.js';
import { keysOfWord, readOwners } from '../requests/owners.js';
import { loadText, payloadSource } from '../requests/payload.js';
import { readAll } from '../terminal/stdin.js';
import { openTarget, type PartyNode, partyFlag, type CommandContext } from '../requests/target.js';
import { leavesOf } from '../requests/leaves.js';

export type DeployFlags = FlagsOf<typeof deployFlags> & {
  readonly file: string;
  readonly arguments: readonly string[];
};

const types = '^blockchain_contract_deploy_op_(succeeded|failed)$';

/**
 * `stack chain deploy`: deploys a compiled contract through a party's node, and waits for the deployment.
 *
 * @throws CliError USAGE, TIMEOUT, REJECTED if the constructor reverted; ClientError, UnreachableError
 */
export async function deployContract(flags: DeployFlags, context: CommandContext): Promise<void> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const source = flags.file === '-' ? payloadSource('-') : ({ kind: 'file', path: flags.file } as const);
  const text = await loadText(source, () => readAll(process.stdin));
  const artifact = chooseArtifact(readArtifacts(text, flags.file, basename(flags.file, '.json')), flags.contract);
  const target = await openTarget(flags, context);
  const { party } = target;
  const owners = await readOwners(party.client);
  const addressOf = (word: string) => keysOfWord(word, owners, target)[0] ?? word;
  const body = {
    ...(flags.from === undefined ? {} : { key: addressOf(flags.from) }),
    definition: textOf(artifact.abi),
    contract: artifact.bytecode,
    input: constructorInput(artifact, flags.arguments, addressOf),
  };
  const observer = observe({ client: party.client, openSocket: target.openSocket, types });
  const signal = limitSignal(timeoutMs);
  let id: string | undefined;
  try {
    id = (await party.client.deployContract({ body, signal })).value.id;
    const path = { operationid: id };
    const ended = await observer.until(() => endedAt(party, path, signal), signal);
    await printDeployed(artifact.name, ended, context);
  } catch (error) {
    if (!(signal.aborted && error === signal.reason) || id === undefined) throw error;
    const late = new CliError('TIMEOUT', `${artifact.name} was not deployed in time.`, {
      hint: `It may still succeed. See: ${context.program} api GET operations/${id}${partyFlag(target)}`,
      details: { operation: id },
    });
    throw await withDelay(late, target, context);
  } finally {
    observer.close();
  }
}

interface Ended {
  readonly value: Operation;
  readonly text: string;
}

async function endedAt({ client }: PartyNode, path: { readonly operationid: string }, signal: AbortSignal) {
  const answer = await client.getOperation({ path, signal });
  const { status, error } = answer.value;
  if (status === 'Succeeded') return answer;
  if (status !== 'Failed') return undefined;
  throw new CliError('REJECTED', `The contract was not deployed: ${error ?? 'no reason was given'}`, {
    details: { operation: answer.value.id },
  });
}

async function printDeployed(name: string, { value, text }: Ended, { output }: CommandContext): Promise<void> {
  const leaves = new Map(value.output === undefined ? [] : leavesOf(valueOf(value.output)));
  const textOfLeaf = (path: string) => {
    const leaf = leaves.get(path);
    return typeof leaf === 'string' ? leaf : '';
  };
  const [address, hash] = [textOfLeaf('contractLocation.address'), textOfLeaf('transactionHash')];
  const tx = hash === '' || hash.startsWith('0x') ? hash : `0x${hash}`;
  if (output.isJson) await output.json(withMember(text, 'stack', textOf({ schemaVersion: 1, address, tx })));
  else if (output.isQuiet) await output.line(address);
  else {
    const mark = output.out.isTerminal ? `${output.out.paint('green', '✓')} ` : '';
    await output.line(`${mark}${name} is at ${address}`);
  }
}
