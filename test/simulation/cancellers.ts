import type { BatchRow, MessageRow } from '../../src/ports/tables/tables.js';
import { every } from '../../src/ports/tables/where.js';
import { isServiceError } from '../../src/wire/errors/error.js';
import type { Simulator } from './life.js';
import type { Oracle } from './oracle.js';
import type { Party } from './party.js';
import { InvariantViolation } from './shadow.js';

export interface CancellerParts {
  readonly simulator: Simulator;
  readonly parties: readonly Party[];
}

/** Users who cancel sealed batches at any moment, and act for each pin that has failed: they retry it, or cancel. */
export interface Cancellers {
  start(): void;
  /** Whether a message of a party was cancelled with its batch when they last looked. */
  isCancelled(party: string, id: string): boolean;
  /** Whether a cancellation of the party's batch was answered, or may have had its effect without an answer. */
  hasAsked(party: string, batch: string): boolean;
}

const everything = 100_000;
const lookMs = 700;

export function createCancellers({ simulator, parties }: CancellerParts): Cancellers {
  const { scheduler, sometimes } = simulator;
  const { random } = scheduler;
  const asked = new Set<string>();
  const cancelled = new Set<string>();

  async function cancel(party: Party, { id, namespace }: BatchRow): Promise<void> {
    asked.add(`${party.name}/${id}`);
    try {
      await party.serving()?.pipeline.cancelBatch(namespace, id);
      sometimes('batch cancelled');
    } catch (error) {
      if (isServiceError(error, 'pin_not_failed')) sometimes('batch not cancelled, as its pin may succeed');
      else if (!isServiceError(error)) throw error;
    }
  }

  async function lookAt(party: Party): Promise<void> {
    const { disk } = party;
    const sealed = await disk.rows('batches', { namespace: every, state: 'sealed' }, { limit: everything });
    const batch = sealed[random.integer(sealed.length)];
    if (batch !== undefined && party.serving() !== undefined) {
      const { id, hash, signer, namespace } = batch;
      const ofBatch = { namespace: every, batch: id, batchHash: hash, signer, type: 'blockchain_pin_batch' } as const;
      const pin = await disk.last('operations', ofBatch);
      if (random.fraction() < 0.5) await cancel(party, batch);
      else if (pin?.status === 'Failed') {
        await party.serving()?.pipeline.retryOperation(namespace, pin.id);
        sometimes('failed pin retried');
      }
    }
    for (const { id } of await cancelledAt(party)) cancelled.add(`${party.name}/${id}`);
  }

  function look(): void {
    for (const party of parties) lookAt(party).catch(failUnlessRefused);
    scheduler.after(lookMs, 'user', 'looks for batches that wait', look);
  }

  function failUnlessRefused(error: unknown): void {
    if (isServiceError(error) || (error instanceof Error && error.message.includes('simulated fault'))) return;
    scheduler.fail(new Error('the request failed', { cause: error }));
  }

  return {
    start: look,
    isCancelled: (party, id) => cancelled.has(`${party}/${id}`),
    hasAsked: (party, batch) => asked.has(`${party}/${batch}`),
  };
}

function cancelledAt({ disk }: Pick<Party, 'disk'>): Promise<readonly MessageRow[]> {
  return disk.rows('messages', { namespace: every, state: 'cancelled' }, { limit: everything });
}

export interface CancellationChecks extends Pick<Simulator, 'sometimes'> {
  readonly parties: readonly Party[];
  readonly oracle: Oracle;
  readonly cancellers: Cancellers;
}

/**
 * I1, I6: a batch is cancelled only if a user has asked for that, with all its messages, none of which was pinned or is
 * at another party.
 */
export async function checkCancelled({ parties, oracle, cancellers, sometimes }: CancellationChecks): Promise<void> {
  for (const { name, disk } of parties) {
    const batches = await disk.rows('batches', { namespace: every, state: 'cancelled' }, { limit: everything });
    const names = new Set(batches.map(({ id, hash }) => `${id}/${hash}`));
    for (const { id } of batches) {
      if (!cancellers.hasAsked(name, id))
        throw new InvariantViolation('I1', `${name} has cancelled batch ${id} itself`);
    }
    const taken = await disk.rows('messages', { namespace: every }, { limit: everything });
    for (const { id, hash, batch, batchHash, state } of taken) {
      if (state !== 'cancelled' && cancellers.isCancelled(name, id)) {
        sometimes('pin of a cancelled batch mined again with effect');
      }
      const isOfThem = names.has(`${batch ?? ''}/${batchHash ?? ''}`);
      if (isOfThem !== (state === 'cancelled' && batch !== null)) {
        throw new InvariantViolation('I14', `message ${id} is ${state} at ${name}, unlike its batch ${batch ?? ''}`);
      }
      if (!isOfThem) continue;
      const key = `${id}/${hash}`;
      if (oracle.messages().has(key)) {
        throw new InvariantViolation('I6', `message ${key} is cancelled at ${name}, and was pinned`);
      }
      for (const other of parties.filter((each) => each.name !== name)) {
        if (!(await other.disk.has('messages', { namespace: every, id, hash }))) continue;
        throw new InvariantViolation('I6', `message ${key} is cancelled at ${name}, and is at ${other.name}`);
      }
    }
  }
}
