import type { BatchVerdict } from '../../domain/verify.js';
import { systemNamespace } from '../../domain/identity.js';
import { topicPin } from '../../domain/pin.js';
import { everyNamespace, type Unit } from '../../ports/database.js';
import type { BatchRow, NewRow } from '../../ports/tables.js';
import type { BatchPayload } from '../../wire/batch.js';
import { equal, oldestFirst } from '../../wire/query.js';
import type { Bell } from '../bus.js';
import { newData, newMessage, newTransaction } from '../rows.js';

/** A payload that has the pinned hash, judged. */
export interface ReceivedBatch {
  readonly batch: BatchRow;
  readonly verdict: Exclude<BatchVerdict, { readonly status: 'unknown_version' }>;
  readonly now: string;
}

/**
 * A wanted batch is held, with its messages and data, or void. What is here already stays as it is, so a batch that is
 * partly known, or comes again, is completed and nothing is doubled (S §8.4). Its contexts are due.
 */
export async function receiveBatch(unit: Unit, { batch, verdict, now }: ReceivedBatch): Promise<readonly Bell[]> {
  const selection = {
    namespace: batch.namespace,
    where: [equal('sequence', batch.sequence), equal('state', 'wanted')],
  };
  if (verdict.status === 'void') {
    await unit.update('batches', selection, { state: 'void', reason: verdict.reason });
  } else {
    const { payload } = verdict;
    const { namespace, node, created } = payload;
    const manifest = payload.messages.map(({ header, hash }) => ({
      id: header.id,
      hash,
      topics: header.topics.length,
    }));
    await unit.update('batches', selection, { state: 'held', namespace, node, created, manifest });
    const items = payload.data.map((item) => newData(namespace, item));
    await unit.put('data', items);
    await unit.put('messages', newMessages(payload, batch));
    await unit.put('transactions', [newTransaction(namespace, { id: batch.txid, type: 'batch_pin', created: now })]);
  }
  await markDue(unit, batch);
  return ['due'];
}

function newMessages(payload: BatchPayload, batch: BatchRow): NewRow<'messages'>[] {
  const items = new Map(payload.data.map((item) => [item.id, item]));
  return payload.messages.map((message) =>
    newMessage(message, {
      items,
      state: 'ready',
      pins: message.header.topics.map(topicPin),
      batch,
      txid: batch.txid,
    }),
  );
}

/** Every context that has a pin of the batch must be looked at. */
async function markDue(unit: Unit, { id, hash, signer }: BatchRow): Promise<void> {
  const where = [equal('batch', id), equal('batchHash', hash), equal('signer', signer), equal('spent', false)];
  const limit = maxPins;
  const pins = await unit.find('pins', { namespace: everyNamespace, where, sort: oldestFirst, limit });
  const contexts = [...new Set(pins.map(({ context }) => context))];
  await unit.put(
    'due',
    contexts.map((context) => ({ namespace: systemNamespace, context })),
  );
}

/** The contract takes no more contexts than this in one pin. */
const maxPins = 10_000;
