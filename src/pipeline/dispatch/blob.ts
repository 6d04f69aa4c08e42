import { assert } from '../../domain/invariant.js';
import type { DataExchange, Peer, PeerAnswer } from '../../ports/data-exchange.js';
import type { Database } from '../../ports/database.js';
import { type SharedStore, StoreError } from '../../ports/shared-store.js';
import type { DataRow, OperationRow } from '../../ports/tables/tables.js';
import { every } from '../../ports/tables/where.js';
import type { AttemptResult, RunOperation, Settlement } from '../operations/attempt.js';
import { peerLane } from '../operations/operation.js';
import { BlobDamaged, type BlobName, type Blobs } from '../blobs/blobs.js';
import { exactItems, referenceKey } from '../state/messages/exact.js';
import { callPeer, findPeer } from './call-peer.js';
import { type FailureParts, recordMessageFailure } from './failure.js';

export interface BlobDispatchParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly sharedStore: SharedStore;
  readonly dataExchange: DataExchange;
}

export interface SendBlobParts extends BlobDispatchParts, FailureParts {}

/**
 * Uploads the blob of an item to the shared store and records its reference, once per item (docs/protocol.md §7.3).
 * Messages that waited for it can then be batched.
 */
export function createUploadBlob({ database, blobs, sharedStore }: BlobDispatchParts): RunOperation {
  return async (operation, signal) => {
    const item = await findItem(database, operation);
    if (item?.blobHash == null) return gone;
    if (item.blobPublic !== null) return noted(item, 'blobPublic', item.blobPublic);
    const known = await findReference(database, item.blobHash);
    if (known !== undefined) return noted(item, 'blobPublic', known);
    const blob = await blobs.find(item.blobHash);
    if (blob === undefined) return absentNow(item.blobHash);
    const stored = await put(() => sharedStore.putStream(blobs.read(blob), signal));
    return typeof stored === 'string' ? noted(item, 'blobPublic', stored) : stored;
  };
}

/** Uploads the value of an item to the shared store and records its reference. */
export function createUploadValue({ database, sharedStore }: BlobDispatchParts): RunOperation {
  return async (operation) => {
    const item = await findItem(database, operation);
    if (item === undefined) return gone;
    if (item.public !== null) return noted(item, 'public', item.public);
    const stored = await put(() => sharedStore.put(new TextEncoder().encode(item.value)));
    return typeof stored === 'string' ? noted(item, 'public', stored) : stored;
  };
}

/**
 * Sends a blob that an envelope announces to the node of a member, unless that node has it already. This counts only
 * after the envelope was accepted: until then, the peer may have the blob for another message and delete it with that
 * one.
 */
export function createSendBlob(parts: SendBlobParts): RunOperation {
  const { database, blobs, dataExchange } = parts;
  return async (operation, signal) => {
    const { source } = operation.input;
    assert(operation.blob !== null && typeof source === 'string', 'a blob is sent for a batch or message');
    const blob = await blobs.find(operation.blob);
    if (blob === undefined) return absentNow(operation.blob);
    const read = (start: number): AsyncIterable<Uint8Array> => blobs.read(blob, { start, end: blob.sizeBytes });
    // Read before the offer: the envelope may be accepted between the answer to the offer and a later read.
    const isAnnounced = !(await isEnvelopeOpen(database, operation));
    const send = async (peer: Peer): Promise<PeerAnswer> => {
      const answer = await dataExchange.sendBlob(peer, { ...offerOf(blob), source }, read, signal);
      return answer.status === 'stored' && !isAnnounced ? notAnnounced : answer;
    };
    try {
      return await callPeer(await findPeer(database, operation), send, (unit) =>
        recordMessageFailure(unit, operation, parts),
      );
    } catch (error) {
      if (!(error instanceof BlobDamaged)) throw error;
      return absentNow(blob.hash);
    }
  };
}

const notAnnounced: PeerAnswer = { status: 'later', reason: 'The envelope that announces it has not arrived yet.' };

async function isEnvelopeOpen(database: Database, { namespace, tx, input: { peer } }: OperationRow): Promise<boolean> {
  assert(typeof peer === 'string', 'what is sent to a peer names it');
  const envelope = { namespace, tx, type: 'dataexchange_send_batch', lane: peerLane(peer) } as const;
  return database.has('operations', { ...envelope, status: ['Initialized', 'Pending'] });
}

function offerOf({ hash, sizeBytes }: BlobName) {
  return { hash, sizeBytes };
}

const gone: AttemptResult<Settlement> = { status: 'failed', error: 'The data item is no longer on this node.' };

/** The blob may be uploaded again; then the operation succeeds. */
function absentNow(hash: string): AttemptResult<Settlement> {
  return { status: 'later', error: `The blob ${hash} is no longer on this node's disk.` };
}

async function findItem(database: Database, { namespace, input }: OperationRow): Promise<DataRow | undefined> {
  // Operations and items of earlier versions have no seal.
  const { dataId: id, hash, seal = '' } = input;
  assert(typeof id === 'string' && typeof hash === 'string' && typeof seal === 'string', 'an upload names its item');
  const reference = { id, hash, seal };
  return (await exactItems(database, [reference], { namespace })).get(referenceKey(reference));
}

/**
 * Returns the reference of an earlier upload of the same bytes by this node. References from others are not trusted: if
 * one were wrong, no member could fetch the bytes.
 */
async function findReference(database: Database, blobHash: string): Promise<string | undefined> {
  const other = await database.first('operations', {
    namespace: every,
    blob: blobHash,
    type: 'sharedstorage_upload_blob',
    status: 'Succeeded',
  });
  const reference = other?.output?.['payloadRef'];
  return typeof reference === 'string' ? reference : undefined;
}

/** Every store failure is retried, because this node only uploads valid content. */
async function put(upload: () => Promise<string>): Promise<string | AttemptResult<never>> {
  try {
    return await upload();
  } catch (error) {
    if (error instanceof StoreError) {
      return { status: error.reason === 'unreachable' ? 'unreachable' : 'later', error: error.message };
    }
    if (error instanceof BlobDamaged) return { status: 'later', error: error.message };
    throw error;
  }
}

function noted(item: DataRow, field: 'public' | 'blobPublic', reference: string): AttemptResult<Settlement> {
  const { namespace, id, hash, seal } = item;
  return {
    status: 'done',
    output: {
      output: { payloadRef: reference },
      write: async (unit) => {
        await unit.update('data', { namespace, id, hash, seal, [field]: null }, { [field]: reference });
        return ['messages'];
      },
    },
  };
}
