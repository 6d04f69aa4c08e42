import { assert } from '../../domain/invariant.js';
import type { Clock } from '../../ports/clock.js';
import { type Database, everyNamespace } from '../../ports/database.js';
import type { Failpoint } from '../../ports/failpoint.js';
import type { Random } from '../../ports/random.js';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { RunOperation } from '../operations/attempt.js';
import { keyLane, newOperation } from '../operations/operation.js';

export interface UploadParts {
  readonly database: Database;
  readonly sharedStore: SharedStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly failpoint: Failpoint;
}

/** Puts the payload of a sealed batch into the shared store; what follows is its pin. */
export function createUploadBatch({ database, sharedStore, clock, random, failpoint }: UploadParts): RunOperation {
  return async (operation) => {
    const where = [equal('hash', operation.batchHash)];
    const found = await database.find('payloads', { namespace: everyNamespace, where, sort: oldestFirst, limit: 1 });
    const [payload] = found;
    assert(payload !== undefined, 'a sealed batch has its payload');
    const uploaded = await put(sharedStore, payload.text);
    if (uploaded instanceof StoreError) return { status: 'unreachable', error: uploaded.message };
    await failpoint.reach('batch.after-store-add');
    const pinId = random.uuid();
    const created = clock.now();
    return {
      status: 'done',
      output: {
        output: { payloadRef: uploaded },
        write: async (unit) => {
          const { namespace, batch, batchHash, signer, tx } = operation;
          const own = [equal('id', batch), equal('hash', batchHash), equal('signer', signer)];
          await unit.update('batches', { namespace, where: own }, { payloadRef: uploaded });
          const subject = { namespace, tx, batch, batchHash, signer };
          const input = { payloadRef: uploaded };
          const type = 'blockchain_pin_batch';
          await unit.insert('operations', [
            newOperation({ id: pinId, type, lane: keyLane(signer), created, subject, input }),
          ]);
          return ['operations'];
        },
      },
    };
  };
}

/** A store that is away, or answers nonsense, is waited for: what it has to store is ours and valid. */
async function put(sharedStore: SharedStore, text: string): Promise<string | StoreError> {
  try {
    return await sharedStore.put(new TextEncoder().encode(text));
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}
