import { matchesEtag } from '../../http/bodies/if-none-match.js';
import { type ByteRange, parseRange } from '../../http/bodies/range.js';
import type { Blobs } from '../../pipeline/blobs/blobs.js';
import type { DataRow } from '../../ports/tables/tables.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { BinaryReply, HttpRequest } from './binary.js';

/**
 * Builds the response to a request for an item's file: the whole file, the one requested range, or no bytes if the
 * client has the file (docs/api.md §11.3).
 *
 * @throws ServiceError no_blob, blob_missing, range_not_satisfiable
 */
export async function blobReply(
  blobs: Blobs,
  item: Pick<DataRow, 'id' | 'blobHash' | 'blobName'>,
  http: Pick<HttpRequest, 'method' | 'header'>,
): Promise<BinaryReply> {
  const { id, blobHash } = item;
  if (blobHash === null) throw new ServiceError('no_blob', { id });
  const blob = await blobs.find(blobHash);
  if (blob === undefined) throw new ServiceError('blob_missing', { hash: blobHash, hint: ' yet, or no longer' });
  const { hash, sizeBytes } = blob;
  const etag = etagOf(hash);
  if (matchesEtag(http.header('If-None-Match'), etag)) {
    return { status: 304, headers: { ETag: etag }, sizeBytes: 0, bytes: undefined };
  }
  const range = rangeOf(http, hash, sizeBytes);
  return {
    status: range === undefined ? 200 : 206,
    headers: {
      'Accept-Ranges': 'bytes',
      ETag: etag,
      'Content-Disposition': `attachment; filename="${fileName(item)}"`,
      'Content-Security-Policy': 'sandbox',
      'x-ff-blob-hash-sha256': hash,
      'x-ff-blob-size': String(sizeBytes),
      ...(range !== undefined && { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${sizeBytes}` }),
    },
    sizeBytes: range === undefined ? sizeBytes : range.end - range.start,
    bytes: http.method === 'HEAD' ? undefined : blobs.read(blob, range),
  };
}

/**
 * The requested range, if `If-Range` matches. Otherwise the whole file is sent, because a range of another version
 * would be appended to foreign bytes.
 */
function rangeOf({ header }: Pick<HttpRequest, 'header'>, hash: string, sizeBytes: number): ByteRange | undefined {
  const ifRange = header('If-Range');
  return ifRange === '' || ifRange === etagOf(hash) ? parseRange(header('Range'), sizeBytes) : undefined;
}

function etagOf(hash: string): string {
  return `"${hash}"`;
}

/**
 * The last part of the label, limited to characters that are safe in file systems and headers
 * (docs/architecture.md §12.3).
 */
function fileName({ id, blobName }: Pick<DataRow, 'id' | 'blobName'>): string {
  const last = (blobName ?? '').split(/[/\\]/).at(-1) ?? '';
  const name = last.replaceAll(/[^A-Za-z0-9 ._()+-]/g, '_').slice(0, maxNameCharacters);
  return /^[. ]*$/.test(name) ? id : name;
}

const maxNameCharacters = 200;
