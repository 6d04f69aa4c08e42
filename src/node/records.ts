import type { NextPinRow } from '../ports/messaging-tables.js';
import type { BatchRow, PinRow } from '../ports/tables.js';
import type { Batch } from '../wire/batch-record.js';
import type { DataReference } from '../wire/data.js';
import type { NextPin, Pin } from '../wire/pin.js';

/** A batch as it is served (S §7.1). @param data what its messages refer to, where that was asked for */
export function batchRecord(row: BatchRow, data?: readonly DataReference[]): Batch {
  const tx = { type: 'batch_pin', id: row.txid };
  const { id, manifest } = row;
  return {
    id,
    type: row.type,
    namespace: row.namespace,
    ...(row.node !== null && { node: row.node }),
    ...(row.group !== null && { group: row.group }),
    created: row.created,
    author: row.author,
    key: row.signer,
    hash: row.hash,
    manifest:
      manifest === null
        ? null
        : { version: 1, id, tx, messages: [...manifest], ...(data !== undefined && { data: [...data] }) },
    ...(row.payloadRef !== null && row.payloadRef !== '' && { payloadRef: row.payloadRef }),
    tx,
    confirmed: row.confirmed,
    ...(row.state === 'void' && { void: row.reason ?? '' }),
  };
}

/** A pin as it is served (S §7.3). @param namespace of its batch, where that is known */
export function pinRecord(row: PinRow, namespace: string | undefined): Pin {
  const { sequence, masked, context, batch, batchHash, index, spent, signer, created } = row;
  return {
    sequence,
    ...(namespace !== undefined && { namespace }),
    masked,
    hash: context,
    batch,
    batchHash,
    index,
    dispatched: spent,
    signer,
    created,
  };
}

/** The next pin of a member as it is served (S §7.3). */
export function nextPinRecord({ namespace, context, identity, hash, nonce }: NextPinRow): NextPin {
  return { namespace, context, identity, hash, nonce };
}
