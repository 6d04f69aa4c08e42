import { createHash } from 'node:crypto';
import { ItemDescription, type PayloadData } from '../wire/batch.js';
import type { DataReference } from '../wire/data.js';
import { DataReference as DataReferenceSchema } from '../wire/data.js';
import { write } from '../wire/json.js';
import { HashedHeader } from '../wire/message.js';
import { type JsonText, noValue } from '../wire/scalar.js';

/** SHA-256 as 64 lower-case hexadecimal characters; text counts as its UTF-8 bytes. */
export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Hash of a data item (S §5): of the value's text, of the blob's bytes, or, of both, over the hexadecimal characters of
 * the two. An item with neither has the hash of no bytes, which no item of ours has.
 */
export function hashOfItem(item: {
  readonly value?: JsonText | undefined;
  readonly blob?: { readonly hash: string } | undefined;
}): string {
  const value =
    item.value === undefined || (item.blob !== undefined && item.value === noValue) ? '' : sha256(item.value);
  const blob = item.blob?.hash ?? '';
  return value !== '' && blob !== '' ? sha256(value + blob) : value || blob || sha256('');
}

/**
 * Seal of what a batch or request says that an item is, beside its bytes: no hash of S §5 covers its datatype, its
 * validator, its time, or whether the bytes are a value or a blob, and who knows an item can describe it otherwise.
 * Where its blob lies in the shared store is left out: that is found out later, and is no matter of verdicts.
 */
export function sealOfItem({ hash, validator, datatype, created, value, blob }: Omit<PayloadData, 'id'>): string {
  const hasValue = value !== undefined && (value !== noValue || blob === undefined);
  return sha256(write(ItemDescription, { hash, validator, datatype, created, hasValue, blob }));
}

/** `datahash`: over the compact list of references, in the message's order (S §5). */
export function hashOfReferences(data: readonly DataReference[]): string {
  return sha256(`[${data.map((reference) => write(DataReferenceSchema, reference)).join(',')}]`);
}

/** Hash of a message: over its compact header in the order of S §3.2, without `topic` and empty fields. */
export function hashOfHeader(header: HashedHeader): string {
  return sha256(write(HashedHeader, header));
}
