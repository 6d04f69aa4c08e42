import { poolTag } from '../../../domain/definition.js';
import type { Clock } from '../../../ports/clock.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { BatchRow, MessageRow } from '../../../ports/tables/tables.js';
import { every } from '../../../ports/tables/where.js';
import { ServiceError } from '../../../wire/errors/error.js';
import type { Bell, Bus } from '../../bus.js';
import { exactMessages } from '../../state/messages/exact.js';
import { noncesOf } from '../../state/messages/nonces.js';
import type { OwnIdentity } from '../../state/identities/own-identity.js';
import { releasePool } from '../../state/tokens/pool.js';
import { definedPool } from '../../state/tokens/token-pool.js';
import { withdrawPool } from '../../state/tokens/withdraw-pool.js';

export interface CancelParts {
  readonly database: Database;
  readonly own: OwnIdentity;
  readonly bus: Bus;
  readonly clock: Clock;
}

/**
 * Returns the function that gives up a batch of this node whose pin has failed permanently (docs/api.md §12). Its
 * messages are cancelled and its nonces freed. A pool that was to be defined by one of them is as after a rejection.
 * The key's lane then continues.
 *
 * The function throws ServiceError not_found, batch_not_cancellable, pin_not_failed.
 */
export function createCancelBatch(parts: CancelParts): (namespace: string, id: string) => Promise<void> {
  const { database, own, bus, clock } = parts;
  return async (namespace, id) => {
    const now = clock.now();
    const bells = await database.transaction(async (unit) => {
      const batch = await findSealed(unit, own, namespace, id);
      await refuseUnlessFailed(unit, batch);
      const messages = [...(await exactMessages(unit, batch.manifest ?? [])).values()];
      await freeNonces(unit, batch, messages);
      await unit.update('batches', { sequence: batch.sequence }, { state: 'cancelled' });
      await cancelMessages(unit, batch, messages, now);
      return withdrawDefinitions(unit, messages, own);
    });
    bus.ring('messages', 'cancellations', ...bells);
  };
}

async function findSealed(unit: Unit, own: OwnIdentity, namespace: string, id: string): Promise<BatchRow> {
  const batches = await unit.rows('batches', { namespace, id }, { limit: maxBatches });
  if (batches.length === 0) throw new ServiceError('not_found', { what: `batch ${id} in namespace ${namespace}` });
  const batch = batches.find(({ signer }) => own.keys.includes(signer));
  if (batch === undefined) {
    throw new ServiceError('batch_not_cancellable', { id, problem: 'it is not a batch of this node' });
  }
  if (batch.state !== 'sealed') {
    const problem = batch.state === 'cancelled' ? 'it is cancelled already' : 'it is pinned';
    throw new ServiceError('batch_not_cancellable', { id, problem });
  }
  return batch;
}

/** Anybody may reuse an id, so several batches may have it. */
const maxBatches = 1_000;

/** Checks the newest pin, because an earlier one may have been retried. */
async function refuseUnlessFailed(unit: Unit, { id, hash, signer }: BatchRow): Promise<void> {
  const pin = await unit.last('operations', {
    namespace: every,
    batch: id,
    batchHash: hash,
    signer,
    type: 'blockchain_pin_batch',
  });
  if (pin?.status !== 'Failed') throw new ServiceError('pin_not_failed', { id });
}

async function cancelMessages(
  unit: Unit,
  { hash: batchHash }: BatchRow,
  messages: readonly MessageRow[],
  now: string,
): Promise<void> {
  const sequence = messages.map((message) => message.sequence);
  await unit.update('messages', { sequence, batchHash, state: 'ready' }, { state: 'cancelled', rank: now });
}

/**
 * Returns the nonces of the messages to their author. This is refused if a later batch has the nonces after them, as
 * after a reorganisation: without these pins before its own, that batch would be void (docs/protocol.md §8.3).
 */
async function freeNonces(unit: Unit, { id, author }: BatchRow, messages: readonly MessageRow[]): Promise<void> {
  const taken = noncesOf(messages);
  if (taken.size === 0) return;
  const rows = await unit.rows('nonces', { context: [...taken.keys()], identity: author }, { limit: taken.size });
  if (rows.some(({ context, nonce }) => nonce > (taken.get(context)?.highest ?? 0) + 1)) {
    const problem = 'a later batch of its author has the nonces after its own; retry its pin instead';
    throw new ServiceError('batch_not_cancellable', { id, problem });
  }
  for (const [context, { lowest: nonce }] of taken) {
    await unit.update('nonces', { context, identity: author }, { nonce });
  }
}

/** Lets go of pools that were waiting for these messages to define them. */
async function withdrawDefinitions(
  unit: Unit,
  messages: readonly MessageRow[],
  own: OwnIdentity,
): Promise<readonly Bell[]> {
  const bells: Bell[] = [];
  for (const message of messages) {
    const defined = message.tag === poolTag ? await definedPool(unit, message) : undefined;
    if (defined === undefined) continue;
    const { namespace, id } = defined;
    await withdrawPool(unit, await unit.first('pools', { namespace, id }), message, own);
    // A definition of another member may have its id and be checked now.
    bells.push(...(await releasePool(unit, { namespace, id })));
  }
  return bells;
}
