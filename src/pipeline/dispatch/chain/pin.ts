import { assert } from '../../../domain/invariant.js';
import type { PinCall } from '../../../ports/blockchain.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { BatchRow, OperationRow } from '../../../ports/tables/tables.js';
import type { RunOperation } from '../../operations/attempt.js';
import type { Bell, Bus } from '../../bus.js';
import { readContexts } from '../../state/messages/pin-contexts.js';
import { hasGivenWay, turnOf } from '../../state/chain/pin-turn.js';
import type { CallChain } from './chain-call.js';
import { type FailureParts, recordMessageFailure, recordMessageWaiting } from '../failure.js';
import type { UntilRecorded } from '../recorded.js';

export interface PinParts extends FailureParts {
  readonly database: Database;
  readonly callChain: CallChain;
  readonly untilRecorded: UntilRecorded;
  readonly bus: Bus;
}

/** How long a pin's receipt waits for its event, which saves a transaction. */
const maxWaitMs = 200;

/**
 * Pins a batch. The unit that records the pin's event ends the operation. If the chain reader is behind, the receipt
 * ends it, so that the key can continue.
 */
export function createPinBatch(parts: PinParts): RunOperation {
  const { database, callChain, untilRecorded, clock, bus } = parts;

  async function isRecorded(operation: OperationRow, block: number, signal: AbortSignal): Promise<boolean> {
    const answered = new AbortController();
    const late = clock.sleep(maxWaitMs, answered.signal);
    const answer = await Promise.race([untilRecorded(operation, block, signal), late]);
    answered.abort('answered');
    return answer === 'recorded';
  }

  return (operation, signal) =>
    callChain(operation, {
      call: () => pinCall(database, operation),
      turn: () => turnOf(database, operation),
      async mined({ transactionHash, block: blockNumber, transactionIndex }) {
        if (await isRecorded(operation, blockNumber, signal)) return { status: 'settled' };
        const output = { transactionHash, blockNumber, transactionIndex };
        return { status: 'done', output: { output, write: (unit) => markPinned(unit, operation) } };
      },
      // A pin that has given way is retried without the user (`pipeline/batch/given-way.ts`).
      failed: (error) => async (unit) =>
        hasGivenWay(error) ? ['messages'] : recordMessageFailure(unit, operation, parts),
      unfunded: async () => {
        bus.ring(...(await database.transaction((unit) => recordMessageWaiting(unit, operation, parts))));
      },
    });
}

/**
 * Builds the call that pins the batch of an operation. @param stored reference of the payload, if not in the row yet
 */
export async function pinCall(
  database: Database,
  operation: Pick<OperationRow, 'batch' | 'batchHash' | 'signer'>,
  stored?: string,
): Promise<PinCall> {
  const { batch: id, batchHash: hash, signer } = operation;
  const batch = await database.first('batches', { id, hash, signer });
  const payloadRef = stored ?? batch?.payloadRef ?? null;
  assert(batch?.manifest != null && payloadRef !== null, 'a batch is pinned after it is sealed and stored');
  return {
    type: 'pin_batch',
    transactionId: batch.txid,
    batchId: batch.id,
    batchHash: batch.hash,
    payloadRef,
    contexts: await sealedContexts(database, batch),
  };
}

async function sealedContexts(database: Database, batch: BatchRow): Promise<string[]> {
  const contexts = await readContexts(database, batch);
  const expected = (batch.manifest ?? []).reduce((sum, { topics }) => sum + topics, 0);
  assert(contexts.length === expected, 'the messages of a sealed batch are here');
  return contexts;
}

/** Lets the key's next batch be sealed. Has no effect if the pin's event came first. */
async function markPinned(unit: Unit, { namespace, batch, batchHash, signer }: OperationRow): Promise<readonly Bell[]> {
  await unit.update('batches', { namespace, id: batch, hash: batchHash, signer, state: 'sealed' }, { state: 'pinned' });
  return ['messages'];
}
