import { assert } from '../../domain/invariant.js';
import type { NewRow, OperationRow, OperationType } from '../../ports/tables/tables.js';

export const storeLane = 'store';
export const fetchLane = 'fetch';
/** Downloads of payloads with very many contexts; separate, so that they never delay those of usual batches. */
export const fetchLargeLane = 'fetch-large';
/** Downloads of blobs; separate from payloads, so that large files do not delay these. */
export const fetchBlobLane = 'fetch-blobs';

const storeReads: readonly string[] = [fetchLane, fetchLargeLane, fetchBlobLane];

/**
 * The lane for downloads of one member, named by its node, so that content missing in the store delays no other
 * member's; without a node, the lane for all others.
 */
export function memberLane(lane: string, node: string | undefined): string {
  return node === undefined ? lane : `${lane}:${node}`;
}

/** Pins of a key, one at a time. */
export function keyLane(key: string): string {
  return `key:${key}`;
}

/** Other calls of a key: many at once, in the order of their nonces. */
export function callLane(key: string): string {
  return `calls:${key}`;
}

export const sourceLane = 'source';

/** Envelopes to one peer's node; separate lanes, so that a slow peer delays no other. */
export function peerLane(node: string): string {
  return `peer:${node}`;
}

/** Blobs to one peer's node; separate from envelopes, so that large files do not delay these. */
export function blobLane(node: string): string {
  return `blobs:${node}`;
}

/** Returns the other lanes whose operations use the same service as this one. */
export function otherLanes(lane: string, lanes: readonly string[]): readonly string[] {
  const [kind = '', node = ''] = lane.split(':');
  if (storeReads.includes(kind)) return lanes.filter((other) => other !== lane && isStoreRead(other));
  if (lane === peerLane(node)) return [blobLane(node)];
  return lane === blobLane(node) ? [peerLane(node)] : [];
}

function isStoreRead(lane: string): boolean {
  const [kind = ''] = lane.split(':');
  return storeReads.includes(kind);
}

/** The plugins of token operations are their connectors, named by the caller. */
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
  dataexchange_request_batch: 'mtls',
};

export type OperationSubject = Pick<OperationRow, 'namespace' | 'tx' | 'batch' | 'batchHash' | 'signer'>;

export function newOperation(parts: {
  readonly id: string;
  readonly type: OperationType;
  readonly lane: string;
  readonly created: string;
  readonly subject: OperationSubject;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly blob?: string;
  /** Name of the token connector; only for token operations. */
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
