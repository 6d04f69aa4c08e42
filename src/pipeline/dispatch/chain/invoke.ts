import { type AbiEntry, readAbi } from '../../../domain/contracts/abi.js';
import { assert } from '../../../domain/invariant.js';
import { type Blockchain, ChainError, type ContractCall, maxTransactionGas } from '../../../ports/blockchain.js';
import type { Clock } from '../../../ports/clock.js';
import type { ContractCodec } from '../../../ports/contract-codec.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { OperationRow } from '../../../ports/tables/tables.js';
import { not, present } from '../../../ports/tables/where.js';
import { check } from '../../../wire/check.js';
import { CallInput } from '../../../wire/contracts/contract.js';
import { isServiceError } from '../../../wire/errors/error.js';
import { textOf } from '../../../wire/json/json.js';
import { endCall } from '../../state/contracts/call-end.js';
import { hasOpenCalls, refusalSentence } from '../../state/contracts/call-refusal.js';
import type { AttemptResult, RunOperation, Settlement } from '../../operations/attempt.js';
import type { CallChain } from './chain-call.js';

export interface InvokeParts {
  readonly database: Database;
  readonly blockchain: Blockchain;
  readonly codec: ContractCodec;
  readonly clock: Clock;
  readonly random: Random;
  readonly callChain: CallChain;
}

/**
 * Runs users' contract calls and deployments (docs/api.md §20). The message of a call is released on success and
 * cancelled on failure.
 */
export function createInvoke(parts: InvokeParts): RunOperation {
  const { codec, callChain } = parts;
  return async (operation) => {
    const input = inputOf(operation);
    const reason = (data: string) => codec.decodeError(errorsOf(input), data);
    const failed = () => (unit: Unit) => endCall(parts, unit, operation, 'failed');
    // A signed call must be completed, because its nonce is taken.
    const prepared = operation.raw === null ? await prepare(parts, operation, { input, reason, failed }) : undefined;
    if (prepared?.outcome !== undefined) return prepared.outcome;
    return callChain(operation, {
      call: async () => callOf(input, prepared?.gas ?? (await gasOf(parts, operation, input))),
      mined: ({ transactionHash, block: blockNumber, transactionIndex, contract }) => {
        const location = contract === undefined ? {} : { contractLocation: { address: contract } };
        const write = (unit: Unit) => endCall(parts, unit, operation, 'succeeded');
        return Promise.resolve({
          status: 'done',
          output: { output: { transactionHash, blockNumber, transactionIndex, ...location }, write },
        });
      },
      failed,
      reason,
    });
  };
}

/** The errors that the request named; used only to decode refusals. */
function errorsOf({ errors }: CallInput): readonly AbiEntry[] {
  try {
    return readAbi(textOf(errors));
  } catch (error) {
    if (isServiceError(error)) return [];
    throw error;
  }
}

interface Work {
  readonly input: CallInput;
  readonly reason: (data: string) => string | undefined;
  readonly failed: () => Settlement['write'];
}

type Prepared =
  | { readonly gas: number; readonly outcome?: undefined }
  | { readonly gas?: undefined; readonly outcome: AttemptResult<Settlement> };

/**
 * Estimates the gas of a call. A refusal by the contract or by the rules of the chain is final only if the key has no
 * other calls in flight that might change the answer; otherwise it is retried.
 */
async function prepare(parts: InvokeParts, operation: OperationRow, work: Work): Promise<Prepared> {
  const { input, reason, failed } = work;
  // Unsigned calls may be mined after this one, so it does not wait for them.
  const isAlone = !(await hasOpenCalls(parts.database, operation.signer, { nonce: present, id: not(operation.id) }));
  try {
    const estimated = await parts.blockchain.estimate(operation.signer, asked(input));
    if (estimated.status === 'success') return { gas: input.options.gas ?? withMargin(estimated.gas) };
    const error = refusalSentence(estimated, reason);
    if (isAlone) return { outcome: { status: 'failed', error, write: failed() } };
    return {
      outcome: { status: 'later', error: `${error} Other calls of the key are on their way, so it is asked again.` },
    };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    if (error.reason !== 'error_response') return { outcome: { status: 'unreachable', error: error.message } };
    // Other calls of the key do not wait for one whose error the chain may repeat forever.
    return { outcome: { status: 'later', error: `The chain answers with an error: ${error.message}` } };
  }
}

/** Adds a margin, because the gas needed when the call is mined may differ from the estimate. */
function withMargin(gas: number): number {
  return Math.min(Math.ceil(gas * 1.5), Math.max(gas, maxTransactionGas));
}

function callOf({ location, data, options: { value } }: CallInput, gas: number): ContractCall {
  return { type: 'contract', to: location?.address ?? null, data, gas, value };
}

/** The arguments of an estimate, with the gas limit that the caller named, if any. */
function asked({ location, data, options: { value, gas } }: CallInput): Parameters<Blockchain['estimate']>[1] {
  return { to: location?.address ?? null, data, value, gas };
}

/** For a call whose estimate fails but that must be mined: most blocks have this much room. */
const maxGas = 15_000_000;

/** Returns the gas limit for a call that is signed again. */
async function gasOf({ blockchain }: InvokeParts, { signer }: OperationRow, input: CallInput): Promise<number> {
  if (input.options.gas !== undefined) return input.options.gas;
  const estimated = await blockchain.estimate(signer, asked(input));
  return estimated.status === 'success' ? withMargin(estimated.gas) : maxGas;
}

function inputOf({ input }: OperationRow): CallInput {
  assert(check(CallInput, input), 'the input of a call says all of it');
  return input;
}
