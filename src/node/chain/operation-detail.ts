import type { Pipeline } from '../../pipeline/pipeline.js';
import type { Clock } from '../../ports/clock.js';
import type { OperationRow } from '../../ports/tables/tables.js';
import { chainHash } from '../../wire/chain/chain-hash.js';
import { epochMsOf, timeOf } from '../../wire/time.js';
import type { Operation } from '../../wire/chain/transaction.js';

/** Live state of operations in progress. */
export interface OperationActivity extends Pick<Pipeline, 'attemptsOf'> {
  readonly clock: Pick<Clock, 'now'>;
}

type Detail = NonNullable<Operation['detail']>;

/**
 * The detail of an operation: its attempts while it is in progress, or the receipt of a mined call (docs/api.md §18.2).
 */
export function detailOf(row: OperationRow, { attemptsOf, clock }: OperationActivity): Detail {
  const { lane, nonce, status, output } = row;
  const receipt = receiptOf(output);
  const known = { lane, nonce, ...(receipt !== undefined && { receipt }) };
  const attempted = status === 'Succeeded' || status === 'Failed' ? undefined : attemptsOf(row);
  if (attempted === undefined) return known;
  const { attempts, nextInMs } = attempted;
  const nextAttempt = nextInMs === undefined ? undefined : timeOf(epochMsOf(clock.now()) + nextInMs);
  return { ...known, attempts, ...(nextAttempt !== undefined && { nextAttempt }) };
}

function receiptOf(output: OperationRow['output']): Detail['receipt'] {
  const { transactionHash, blockNumber, contractLocation } = output ?? {};
  if (typeof transactionHash !== 'string' || typeof blockNumber !== 'number') return undefined;
  const address: unknown = contractLocation instanceof Object ? Reflect.get(contractLocation, 'address') : undefined;
  return {
    transactionHash: chainHash(transactionHash),
    blockNumber,
    ...(typeof address === 'string' && { extraInfo: { contractAddress: address } }),
  };
}
