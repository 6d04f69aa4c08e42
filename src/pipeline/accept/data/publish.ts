import type { Clock } from '../../../ports/clock.js';
import type { Database, Unit } from '../../../ports/database.js';
import type { Random } from '../../../ports/random.js';
import type { DataRow } from '../../../ports/tables/tables.js';
import type { Data, PublishRequest } from '../../../wire/data/data.js';
import { ServiceError } from '../../../wire/errors/error.js';
import { forgetUntried, insertUploads, isUnderWay, type UploadType } from '../../blobs/uploads.js';
import type { Blobs } from '../../blobs/blobs.js';
import type { Bell, Bus } from '../../bus.js';
import { dataRecord } from '../../records/records.js';
import { findItem } from './item.js';
import { checkIdempotencyKey } from '../messages/request.js';
import { refuseSystemNamespace } from '../share.js';
import { refuseUsedKey } from '../messages/transaction.js';

export interface PublisherParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
}

interface ItemPlace {
  readonly namespace: string;
  readonly dataid: string;
}

type Publish = (place: ItemPlace, request: PublishRequest, signal: AbortSignal) => Promise<Data>;

/**
 * Uploads an item's value or blob to the shared store (docs/api.md §11.3). Resolves with the item once its reference is
 * known. A repeated call causes no second upload. Once the signal aborts, throws its reason; the upload continues.
 *
 * Throws ServiceError namespace_read_only, not_uuid, not_found, no_blob, blob_missing, too_long, transaction_key_used.
 */
export interface Publisher {
  readonly publishValue: Publish;
  readonly publishBlob: Publish;
}

/** Also checks without a ring, because rings may be lost. */
const lookMs = 1_000;

export function createPublisher({ database, blobs, bus, clock, random }: PublisherParts): Publisher {
  function publisher(type: UploadType, field: 'public' | 'blobPublic'): Publish {
    return async ({ namespace, dataid }, { idempotencyKey }, signal) => {
      refuseSystemNamespace(namespace);
      checkIdempotencyKey(idempotencyKey);
      await refuseUsedKey(database, namespace, idempotencyKey);
      const item = await findItem(database, namespace, dataid);
      const isHere = field === 'blobPublic' && (await isBlobHere(blobs, item));
      const created = clock.now();
      const bells = await database.transaction((unit) =>
        request(unit, { item, isHere, type, field, namespace, created, random, idempotencyKey }),
      );
      bus.ring(...bells);
      return dataRecord(await untilPublic(item, field, signal));
    };
  }

  async function untilPublic(
    { namespace, id }: DataRow,
    field: 'public' | 'blobPublic',
    signal: AbortSignal,
  ): Promise<DataRow> {
    const listening = bus.listen('messages');
    try {
      for (;;) {
        const item = await findItem(database, namespace, id);
        if (item[field] !== null) return item;
        signal.throwIfAborted();
        const looked = new AbortController();
        const ended = AbortSignal.any([signal, looked.signal]);
        await Promise.race([listening.wait(ended), clock.sleep(lookMs, ended)]);
        looked.abort('looked');
      }
    } finally {
      listening.close();
    }
  }

  return {
    publishValue: publisher('sharedstorage_upload_value', 'public'),
    publishBlob: publisher('sharedstorage_upload_blob', 'blobPublic'),
  };
}

interface Request {
  readonly item: DataRow;
  /** Whether the item's blob is to be published, and is on this node. */
  readonly isHere: boolean;
  readonly type: UploadType;
  readonly field: 'public' | 'blobPublic';
  readonly namespace: string;
  readonly created: string;
  readonly random: Random;
  readonly idempotencyKey: string | undefined;
}

async function request(unit: Unit, { item, isHere, type, field, ...parts }: Request): Promise<readonly Bell[]> {
  await refuseUsedKey(unit, parts.namespace, parts.idempotencyKey);
  const found = await findItem(unit, item.namespace, item.id);
  const now = isHere ? await forgetUntried(unit, found) : found;
  const isRequested = now[field] !== null || (await isUnderWay(unit, now, type));
  if (isRequested && parts.idempotencyKey === undefined) return [];
  // Without an upload, the transaction only keeps the key.
  await insertUploads(unit, isRequested ? [] : [now], type, parts);
  return ['operations', 'events'];
}

/**
 * Whether the item's blob is on this node.
 *
 * @throws ServiceError no_blob; blob_missing if the item also has no reference to the shared store
 */
async function isBlobHere(blobs: Blobs, { id, blobHash, blobPublic }: DataRow): Promise<boolean> {
  if (blobHash === null) throw new ServiceError('no_blob', { id });
  const isHere = (await blobs.find(blobHash)) !== undefined;
  if (!isHere && blobPublic === null)
    throw new ServiceError('blob_missing', { hash: blobHash, hint: '; upload it again' });
  return isHere;
}
