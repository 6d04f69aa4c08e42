import type { NextPinRow } from '../../ports/tables/messaging-tables.js';
import type { BatchRow, PinRow } from '../../ports/tables/tables.js';
import type { Batch } from '../../wire/messages/batch-record.js';
import type { DataReference } from '../../wire/data/data.js';
import type { NextPin, Pin } from '../../wire/messages/pin.js';

/** Builds the record of a batch (docs/api.md §12). @param data references of its messages, if requested */
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

/** Builds the record of a pin (docs/api.md §12). @param namespace of its batch, if known */
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

/** Builds the record of a member's next pin (docs/api.md §12). */
export function nextPinRecord({ namespace, context, identity, hash, nonce }: NextPinRow): NextPin {
  return { namespace, context, identity, hash, nonce };
}
