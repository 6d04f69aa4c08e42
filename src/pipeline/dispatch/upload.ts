import { assert } from '../../domain/invariant.js';
import type { Clock } from '../../ports/clock.js';
import type { Database, Unit } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Random } from '../../ports/random.js';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';
import type { NewRow, OperationRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import type { Bus } from '../bus.js';
import { type RunOperation, type Settlement, succeed } from '../operations/attempt.js';
import { keyLane, newOperation } from '../operations/operation.js';
import type { SignAhead } from './chain/chain-call.js';
import { pinCall } from './chain/pin.js';

export interface UploadParts {
  readonly database: Database;
  readonly sharedStore: SharedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly failpoint: Failpoint;
  readonly bus: Bus;
  readonly signAhead: SignAhead;
}

/**
 * Uploads the payload of a sealed batch. Its pin is signed in the same unit that records the upload, if the chain is
 * reachable.
 */
export function createUploadBatch(parts: UploadParts): RunOperation {
  const { database, sharedStore, clock, random, failpoint, bus, signAhead } = parts;
  return async (operation) => {
    const payload = await database.first('payloads', { hash: operation.batchHash });
    assert(payload !== undefined, 'a sealed batch has its payload');
    const uploaded = await put(sharedStore, payload.text);
    if (uploaded instanceof StoreError) return { status: 'unreachable', error: uploaded.message };
    await failpoint.reach('batch.after-store-add');
    const output = { payloadRef: uploaded };
    const pin = newPin(operation, { id: random.uuid(), created: clock.now(), payloadRef: uploaded });
    const isSigned = await signAhead(pin, await pinCall(database, pin, uploaded), async (unit) => {
      if (await hasUnsigned(unit, pin.lane)) return false;
      const isOpen = await succeed(unit, operation, { output, updated: clock.now() });
      if (isOpen) await storePin(unit, pin, uploaded);
      return isOpen;
    });
    if (isSigned) bus.ring('operations');
    if (isSigned) return { status: 'settled' };
    const write: Settlement['write'] = async (unit) => {
      await storePin(unit, pin, uploaded);
      return ['operations'];
    };
    return { status: 'done', output: { output, write } };
  };
}

function newPin(
  { namespace, batch, batchHash, signer, tx }: OperationRow,
  { id, created, payloadRef }: { readonly id: string; readonly created: string; readonly payloadRef: string },
): NewRow<'operations'> {
  const subject = { namespace, tx, batch, batchHash, signer };
  return newOperation({
    id,
    type: 'blockchain_pin_batch',
    lane: keyLane(signer),
    created,
    subject,
    input: { payloadRef },
  });
}

/**
 * Whether an earlier call in the lane has no nonce yet. The pin must come after that call, since the batch may depend
 * on it: the profile of a custom identity is only valid after its registration.
 */
function hasUnsigned(unit: Unit, lane: string): Promise<boolean> {
  return unit.has('operations', { namespace: every, lane, status: ['Initialized', 'Pending'], raw: null });
}

async function storePin(unit: Unit, pin: NewRow<'operations'>, payloadRef: string): Promise<void> {
  const { namespace, batch, batchHash, signer } = pin;
  await unit.update('batches', { namespace, id: batch, hash: batchHash, signer }, { payloadRef });
  await unit.insert('operations', [pin]);
}

/** Every store failure is retried, because this node only uploads valid content. */
async function put(sharedStore: SharedStore, text: string): Promise<string | StoreError> {
  try {
    return await sharedStore.put(new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}
