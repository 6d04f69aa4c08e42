import type { Reader, Unit } from '../../ports/database.js';
import type { Random } from '../../ports/random.js';
import type { DataRow, OperationRow } from '../../ports/tables/tables.js';
import { type Columns, every, present } from '../../ports/tables/where.js';
import type { Blob } from '../../wire/data/data.js';
import type { Bell } from '../bus.js';
import { fetchBlobLane, newOperation, type OperationSubject } from '../operations/operation.js';

export async function missingBlobs(database: Reader, hashes: readonly string[]): Promise<ReadonlySet<string>> {
  const missing = new Set(hashes);
  if (missing.size === 0) return missing;
  const rows = await database.rows('blobs', { hash: [...missing] }, { limit: missing.size });
  for (const { hash } of rows) missing.delete(hash);
  return missing;
}

/** Blobs of a broadcast, to be downloaded from the shared store. */
export interface Download {
  readonly subject: OperationSubject;
  /** The lane of the member whose broadcast it is. */
  readonly lane: string;
  readonly blobs: readonly Pick<Blob, 'hash' | 'size' | 'public'>[];
  readonly created: string;
  readonly random: Random;
}

/**
 * Inserts downloads for blobs of a broadcast that are neither here nor being downloaded, in the unit that holds its
 * batch. Returns the bells to ring.
 */
export async function downloadBlobs(unit: Unit, download: Download): Promise<readonly Bell[]> {
  const { subject, lane, created, random } = download;
  const blobs = new Map(download.blobs.map((blob) => [blob.hash, blob]));
  const missing = await missingBlobs(unit, [...blobs.keys()]);
  const underWay = await findDownloads(unit, [...missing], { lane, ...openDownload });
  const places = new Set(underWay.map(placeOfDownload));
  // A download of the same blob from another reference, or with another size, does not count, since it may never
  // succeed. Neither does one in the lane of another member, who may have filled that lane with content that never
  // arrives.
  const wanted = [...blobs.values()].filter((blob) => missing.has(blob.hash) && !places.has(placeOf(blob)));
  if (wanted.length === 0) return [];
  await unit.insert(
    'operations',
    wanted.map(({ hash, size, public: reference }) =>
      newOperation({
        id: random.uuid(),
        type: 'sharedstorage_download_blob',
        lane,
        created,
        subject,
        input: { hash, size, payloadRef: reference ?? '' },
        blob: hash,
      }),
    ),
  );
  return ['operations'];
}

/** Inserts downloads for a blob that was lost, from every known reference, in the lanes of its first downloads. */
export async function downloadAgain(
  unit: Unit,
  blob: string,
  { created, random }: { readonly created: string; readonly random: Random },
): Promise<readonly Bell[]> {
  const items = await unit.rows(
    'data',
    { namespace: every, blobHash: blob, blobPublic: present },
    { limit: maxDownloads },
  );
  const places = new Map(items.map((item) => [placeOf(publicBlob(item)), item]));
  const before = await findDownloads(unit, [blob], {});
  const bells: Bell[] = [];
  for (const [place, item] of places) {
    const subject = { namespace: item.namespace, tx: '', batch: '', batchHash: '', signer: '' };
    const lanes = before.filter((operation) => placeOfDownload(operation) === place).map(({ lane }) => lane);
    for (const lane of new Set(lanes.length === 0 ? [fetchBlobLane] : lanes)) {
      bells.push(...(await downloadBlobs(unit, { subject, lane, blobs: [publicBlob(item)], created, random })));
    }
  }
  return bells;
}

function publicBlob({ blobHash, blobSize, blobPublic }: DataRow) {
  return { hash: blobHash ?? '', size: blobSize ?? 0, public: blobPublic ?? '' };
}

/** The columns of a download that has not ended. */
export const openDownload = { status: ['Initialized', 'Pending'] } satisfies Columns<'operations'>;

/** Returns the downloads of blobs from the shared store. */
export async function findDownloads(
  reader: Reader,
  hashes: readonly string[],
  columns: Columns<'operations'>,
): Promise<readonly OperationRow[]> {
  if (hashes.length === 0) return [];
  const downloads = { namespace: every, blob: hashes, type: 'sharedstorage_download_blob' } as const;
  return reader.rows('operations', { ...downloads, ...columns }, { limit: maxDownloads });
}

function placeOfDownload({ blob, input }: OperationRow): string {
  return placeOf({ hash: blob ?? '', size: Number(input['size']), public: String(input['payloadRef']) });
}

/** More than there are; a redundant download does no harm. */
const maxDownloads = 100_000;

function placeOf({ hash, size, public: reference = '' }: Download['blobs'][number]): string {
  return `${hash}/${size}/${reference}`;
}
