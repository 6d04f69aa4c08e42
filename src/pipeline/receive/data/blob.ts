import { assert } from '../../../domain/invariant.js';
import type { Clock } from '../../../ports/clock.js';
import type { BlobOffer, PeerAnswer, PeerReceiver } from '../../../ports/data-exchange.js';
import type { Database } from '../../../ports/database.js';
import type { Failpoint } from '../../../ports/failpoint.js';
import type { Log } from '../../../ports/log.js';
import { type SharedStore, StoreError } from '../../../ports/shared-store.js';
import { isServiceError, type ServiceError } from '../../../wire/errors/error.js';
import type { AttemptResult, RunOperation, Settlement } from '../../operations/attempt.js';
import { blobArrived, type BlobName, type Blobs } from '../../blobs/blobs.js';
import type { Bus } from '../../bus.js';
import { EndedEarly, type Incoming, storeSource } from '../../blobs/incoming.js';
import { defaultMaxUnpinnedBytes, isWithinQuota } from './blob-quota.js';
import { hasCome } from '../../blobs/claims.js';
import { missingNamespace, type NamespaceParts } from './missing-namespace.js';

export interface ReceiveBlobParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly incoming: Incoming;
  readonly sharedStore: SharedStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly failpoint: Failpoint;
}

export interface BlobReceiverParts extends ReceiveBlobParts, NamespaceParts {
  /** Quota for files of batches that are not pinned yet. */
  readonly maxUnpinnedBytes?: number | undefined;
  /** Called with the id of each node that contacts this one. */
  readonly onPeer: (node: string) => void;
}

/**
 * Answers peers that offer or send blobs. Accepts only blobs that an envelope of the same peer has announced
 * (docs/protocol.md §11.4).
 */
export function createBlobReceiver(parts: BlobReceiverParts): Pick<PeerReceiver, 'offerBlob' | 'receiveBlob'> {
  const { database, blobs, incoming, bus, clock, log, onPeer, maxUnpinnedBytes = defaultMaxUnpinnedBytes } = parts;

  /** Returns the id of the sending node if it may send the blob, or else the answer to it. */
  async function admit(sender: string, offer: BlobOffer): Promise<string | PeerAnswer> {
    const peer = await findNode(database, sender);
    if (peer === undefined) return { status: 'later', reason: 'The registry has no such node here yet.' };
    onPeer(peer);
    const claim = await database.first('claims', { blob: offer.hash, peer });
    if (await isHere(blobs, offer)) {
      await incoming.forget(offer.hash);
      return { status: 'stored' };
    }
    if (claim === undefined) {
      if (await hasCome(database, { peer, source: offer.source, blob: offer.hash })) return { status: 'stored' };
      const missing = await missingNamespace(database, parts, { peer, source: offer.source });
      if (missing !== undefined) return { status: 'refused', reason: `This node has no namespace ${missing}.` };
      return { status: 'later', reason: 'No envelope that is here needs this blob.' };
    }
    if (claim.sizeBytes !== offer.sizeBytes) {
      return { status: 'refused', reason: `The envelope says ${claim.sizeBytes} bytes, not ${offer.sizeBytes}.` };
    }
    if (!(await isWithinQuota(database, { peer, blob: offer.hash, maxUnpinnedBytes }))) {
      const limit = `${maxUnpinnedBytes} bytes`;
      return { status: 'later', reason: `Files of batches that are not pinned may have ${limit} together. Pin first.` };
    }
    return peer;
  }

  return {
    async offerBlob(sender, offer) {
      const peer = await admit(sender, offer);
      if (typeof peer !== 'string') return peer;
      const start = await incoming.bytesHere(offer.hash, peer);
      const refused = await incoming.refusal(offer.sizeBytes - start);
      return refused === undefined ? { status: 'wanted', start } : { status: 'later', reason: refused.text };
    },

    async receiveBlob(sender, offer, start, bytes) {
      const source = await admit(sender, offer);
      if (typeof source !== 'string') return source;
      const full = await incoming.refusal(offer.sizeBytes - start);
      if (full !== undefined) return { status: 'later', reason: full.text };
      const blob = { hash: offer.hash, sizeBytes: offer.sizeBytes };
      const created = clock.now();
      const commit = () => database.transaction((unit) => blobArrived(unit, blob, created));
      const taken = await incoming.take({ blob, source, start, bytes }, commit).catch(laterIfFull);
      switch (taken.status) {
        case 'later':
          return taken;
        case 'whole':
          bus.ring(...taken.result);
          return { status: 'stored' };
        case 'wrong':
          log.warn('A peer sent other bytes than it announced; they are dropped', { peer: source, ...blob });
          return { status: 'later', reason: 'The bytes do not have the hash of the blob.' };
        case 'busy':
          return { status: 'later', reason: 'Another transfer of this blob is going on.' };
      }
    },
  };
}

/**
 * Downloads a blob of a broadcast from the shared store, resuming a partial download. Bytes with another hash are
 * dropped and the download is retried without end (docs/protocol.md §12).
 */
export function createDownloadBlob(parts: ReceiveBlobParts): RunOperation {
  const { blobs, incoming, sharedStore, clock, log } = parts;
  return async (operation, signal) => {
    const { size: sizeBytes, payloadRef } = operation.input;
    assert(operation.blob !== null && typeof sizeBytes === 'number', 'a download names its blob');
    const blob = { hash: operation.blob, sizeBytes };
    const reference = typeof payloadRef === 'string' ? payloadRef : '';
    const source = storeSource(reference, sizeBytes);
    const here = await blobs.find(blob.hash);
    if (here !== undefined) {
      await incoming.forget(blob.hash);
      // Its true size; an item may claim another.
      return arrived(here, clock.now());
    }
    const start = await incoming.bytesHere(blob.hash, source);
    const refused = await incoming.refusal(sizeBytes - start);
    if (refused !== undefined) return { status: 'later', error: refused.text };
    const bytes = sharedStore.getStream(reference, { start, maxBytes: sizeBytes, signal });
    try {
      const taken = await incoming.take({ blob, source, start, bytes }, () => Promise.resolve());
      // The reference is recorded, since a broadcast of the blob relies on a reference that was read (`forgetUntried`).
      if (taken.status === 'whole') return arrived(blob, clock.now(), { payloadRef: reference });
      if (taken.status === 'busy') return { status: 'later', error: 'It is being downloaded already.' };
      log.warn('The store returned bytes that are not the blob; trying again later', { blob: blob.hash });
      return { status: 'unavailable', error: 'the bytes do not have the hash of the blob' };
    } catch (error) {
      const hasCome = (await incoming.bytesHere(blob.hash, source)) > start;
      return toOutcome(error, hasCome);
    }
  };
}

/**
 * Maps a store error to an outcome. All are retried: a missing or wrong object may be replaced, and a partial download
 * continues.
 */
function toOutcome(error: unknown, hasCome: boolean): AttemptResult<Settlement> {
  if (isOfDisk(error)) return { status: 'later', error: error.text };
  if (error instanceof EndedEarly) return { status: 'unavailable', error: error.message };
  if (!(error instanceof StoreError)) throw error;
  if (error.reason === 'unreachable') return { status: 'unreachable', error: error.message };
  const status = hasCome && error.reason === 'later' ? 'later' : 'unavailable';
  return { status, error: error.message };
}

/** `read` has the reference from which the whole blob was read. */
function arrived(
  blob: BlobName,
  created: string,
  read: { readonly payloadRef?: string } = {},
): AttemptResult<Settlement> {
  return {
    status: 'done',
    output: { output: { sizeBytes: blob.sizeBytes, ...read }, write: (unit) => blobArrived(unit, blob, created) },
  };
}

/** The answer to a peer if the disk is full while its bytes are received. */
function laterIfFull(error: unknown): PeerAnswer & { readonly status: 'later' } {
  if (isOfDisk(error)) return { status: 'later', reason: error.text };
  throw error;
}

async function isHere(blobs: Blobs, { hash, sizeBytes }: BlobName): Promise<boolean> {
  return (await blobs.find(hash))?.sizeBytes === sizeBytes;
}

async function findNode(database: Database, publicKeyHash: string): Promise<string | undefined> {
  const node = await database.first('identities', { publicKeyHash, type: 'node' });
  return node?.id;
}

function isOfDisk(error: unknown): error is ServiceError {
  return isServiceError(error, 'disk_full') || isServiceError(error, 'no_space');
}
