import type { callFlags } from './flags.js';
import type { FlagsOf } from '../flag-types.js';
import { observe } from '../../client/until.js';
import { textOf, valueOf } from '../../wire/json/json.js';
import type { Operation } from '../../wire/chain/transaction.js';
import { durationMs, limitSignal } from '../duration.js';
import { CliError } from '../errors/exit.js';
import { withDelay } from '../explain/overdue.js';
import { withMember } from '../requests/json-text.js';
import { leavesOf } from '../requests/leaves.js';
import { readOwners, shortAddress } from '../requests/owners.js';
import { noteWhileWaiting } from '../terminal/slow-note.js';
import { type PartyNode, partyFlag, type CommandContext, type Target } from '../requests/target.js';
import { safe } from '../terminal/text.js';
import { refusalRemedy, refusalText } from '../tokens/refusal-texts.js';
import { type MethodFlags, prepareCall } from './method.js';

export type CallFlags = FlagsOf<typeof callFlags> & MethodFlags;

const types = '^blockchain_invoke_op_(succeeded|failed)$';

/**
 * `stack contract call`: calls a method of a contract, and waits until the call is mined.
 *
 * @throws CliError NOT_FOUND, USAGE, TIMEOUT, REJECTED if the contract reverted; ClientError, UnreachableError
 */
export async function callContract(flags: CallFlags, context: CommandContext): Promise<void> {
  const timeoutMs = durationMs(flags.timeout, '--timeout');
  const { target, path, input, addressOf } = await prepareCall(flags, context);
  const { party } = target;
  const { key, value, idempotent } = flags;
  const body = {
    input,
    ...(key === undefined ? {} : { key: addressOf(key) }),
    ...(value === undefined ? {} : { options: textOf({ value }) }),
    ...(idempotent === undefined ? {} : { idempotencyKey: idempotent }),
  };
  const observer = observe({ client: party.client, openSocket: target.openSocket, types });
  const endNotes = noteWhileWaiting(context.output, () => [party.name]);
  const signal = limitSignal(timeoutMs);
  let id: string | undefined;
  try {
    const accepted = await party.client.invokeContractApi({ path, body, signal });
    id = accepted.value.id;
    const operationid = id;
    const ended = flags['no-wait']
      ? undefined
      : await observer.until(() => endedAt(party, operationid, signal), signal);
    await printCall(flags, ended ?? accepted, ended !== undefined, context);
  } catch (error) {
    if (signal.aborted && error === signal.reason && id !== undefined) {
      if (!context.output.isJson) await context.output.line(id);
      const late = new CliError('TIMEOUT', `${flags.method} was not mined in time.`, {
        hint: `It may still succeed. See: ${context.program} api GET operations/${id}${partyFlag(target)}`,
        details: { operation: id },
      });
      throw await withDelay(late, target, context);
    }
    throw await withNames(error, target, context.program);
  } finally {
    endNotes();
    observer.close();
  }
}

interface Ended {
  readonly value: Operation;
  readonly text: string;
}

async function endedAt({ client }: PartyNode, operationid: string, signal: AbortSignal): Promise<Ended | undefined> {
  const answer = await client.getOperation({ path: { operationid }, signal });
  const { status, error, id } = answer.value;
  if (status === 'Succeeded') return answer;
  if (status !== 'Failed') return undefined;
  throw new CliError('REJECTED', `The call failed: ${error ?? 'no reason was given'}`, {
    details: { operation: id, error: error ?? null },
  });
}

/** Replaces the addresses in a contract's refusal by names, and adds a hint. Returns other errors unchanged. */
async function withNames(error: unknown, { party }: Target, program: string): Promise<unknown> {
  const refusal = error instanceof CliError ? error.details['error'] : undefined;
  if (!(error instanceof CliError) || typeof refusal !== 'string') return error;
  const why = refusalText(refusal, await readOwners(party.client));
  const { details } = error;
  return new CliError('REJECTED', `The call failed: ${why}`, { hint: refusalRemedy(refusal, program), details });
}

async function printCall(
  { api, method }: CallFlags,
  { value, text }: Ended,
  isDone: boolean,
  { output }: CommandContext,
): Promise<void> {
  const leaves = new Map(value.output === undefined ? [] : leavesOf(valueOf(value.output)));
  const hash = leaves.get('transactionHash');
  const tx = typeof hash !== 'string' || hash.startsWith('0x') ? hash : `0x${hash}`;
  if (output.isJson) await output.json(withMember(text, 'stack', textOf({ schemaVersion: 1, tx: tx ?? null })));
  else if (output.isQuiet) await output.line(value.id);
  else {
    const { isTerminal, paint } = output.out;
    const mark = isTerminal && isDone ? `${paint('green', '✓')} ` : '';
    const shown = typeof tx !== 'string' ? '' : ` · tx ${isTerminal ? shortAddress(tx) : tx}`;
    await output.line(`${mark}${safe(`${api}.${method}`)} ${isDone ? 'done' : `accepted as ${value.id}`}${shown}`);
  }
}
