import { assert } from '../../domain/invariant.js';
import type { NewRow, OperationRow, OperationType } from '../../ports/tables.js';

/** Uploads to the shared store. */
export const storeLane = 'store';
/** Downloads of payloads from the shared store. */
export const fetchLane = 'fetch';
/** Downloads of blobs: apart, so that a gigabyte delays no payload. */
export const fetchBlobLane = 'fetch-blobs';

/** The pins that a key signs, one after the other. */
export function keyLane(key: string): string {
  return `key:${key}`;
}

/** All other calls that a key signs: many at once, in the order of their nonces on chain. */
export function callLane(key: string): string {
  return `calls:${key}`;
}

/** The histories of pools, read before they are followed. */
export const sourceLane = 'source';

/** Envelopes to the node of a peer, by its id: apart for each, so one that is slow or away holds up no other. */
export function peerLane(node: string): string {
  return `peer:${node}`;
}

/** Blobs to the node of a peer: apart from envelopes, so that a gigabyte delays none of them. */
export function blobLane(node: string): string {
  return `blobs:${node}`;
}

/** The other lanes that end where this one does. */
export function otherLanes(lane: string): readonly string[] {
  if (lane === fetchLane) return [fetchBlobLane];
  if (lane === fetchBlobLane) return [fetchLane];
  const [, node = ''] = lane.split(':');
  if (lane === peerLane(node)) return [blobLane(node)];
  return lane === blobLane(node) ? [peerLane(node)] : [];
}

/** Those of token operations are their connectors', which the caller names. */
const plugins: Readonly<Partial<Record<OperationType, string>>> = {
  sharedstorage_upload_batch: 'ipfs',
  sharedstorage_download_batch: 'ipfs',
  sharedstorage_upload_blob: 'ipfs',
  sharedstorage_upload_value: 'ipfs',
  sharedstorage_download_blob: 'ipfs',
  blockchain_pin_batch: 'ethereum',
  blockchain_register_identity: 'ethereum',
  blockchain_deploy: 'ethereum',
  blockchain_invoke: 'ethereum',
  dataexchange_send_batch: 'mtls',
  dataexchange_send_blob: 'mtls',
};

/** The columns that name an operation's subject. */
export type OperationSubject = Pick<OperationRow, 'namespace' | 'tx' | 'batch' | 'batchHash' | 'signer'>;

/** A row for work that has not begun. */
export function newOperation(parts: {
  readonly id: string;
  readonly type: OperationType;
  readonly lane: string;
  readonly created: string;
  readonly subject: OperationSubject;
  readonly input?: Readonly<Record<string, unknown>>;
  /** Hash of the blob that it moves. */
  readonly blob?: string;
  /** Name of the token connector that it is for. */
  readonly connector?: string;
}): NewRow<'operations'> {
  const { id, type, lane, created, subject, input = {}, blob = null, connector } = parts;
  const plugin = plugins[type] ?? connector;
  assert(plugin !== undefined, 'an operation has somebody who does it');
  return {
    ...subject,
    id,
    type,
    lane,
    plugin,
    status: 'Initialized',
    input: { ...(subject.batch !== '' && { batch: subject.batch }), ...input },
    output: null,
    error: null,
    created,
    updated: created,
    retry: null,
    blob,
    nonce: null,
    raw: null,
    transactionHash: null,
  };
}
