import { createHash } from 'node:crypto';
import type { DataReference } from '../wire/data.js';
import { DataReference as DataReferenceSchema } from '../wire/data.js';
import { write } from '../wire/json.js';
import { HashedHeader } from '../wire/message.js';
import type { JsonText } from '../wire/scalar.js';

/** SHA-256 as 64 lower-case hexadecimal characters; text counts as its UTF-8 bytes. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Hash of a data item that has a value and no blob: that of the value's text (S §5). */
export function hashOfValue(value: JsonText): string {
  return sha256(value);
}

/** Hash of a data item that has both: over the hexadecimal characters of the hashes of value and blob (S §5). */
export function hashOfValueAndBlob(value: JsonText, blobHash: string): string {
  return sha256(hashOfValue(value) + blobHash);
}

/** `datahash`: over the compact list of references, in the message's order (S §5). */
export function hashOfReferences(data: readonly DataReference[]): string {
  return sha256(`[${data.map((reference) => write(DataReferenceSchema, reference)).join(',')}]`);
}

/** Hash of a message: over its compact header in the order of S §3.2, without `topic` and empty fields. */
export function hashOfHeader(header: HashedHeader): string {
  return sha256(write(HashedHeader, header));
}
