import { hash } from 'node:crypto';
import { ItemDescription, type PayloadData } from '../wire/messages/batch.js';
import type { DataReference } from '../wire/data/data.js';
import { DataReference as DataReferenceSchema } from '../wire/data/data.js';
import { write } from '../wire/json/json.js';
import { HashedHeader } from '../wire/messages/message.js';
import { type JsonText, noValue } from '../wire/scalar.js';

/** SHA-256 as 64 lower-case hexadecimal characters; text counts as its UTF-8 bytes. */
export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

/**
 * Hash of a data item (docs/protocol.md §3.1): of the value's text, of the blob's bytes, or, if it has both, over the
 * concatenated hexadecimal hashes of the two. An item with neither has the hash of the empty text; this node never
 * creates one.
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
 * Hash over the whole description of an item. No hash of docs/protocol.md §3.1 covers its datatype, its validator, its
 * time, or whether the bytes are a value or a blob, so another member that knows the item could describe it
 * differently. The blob's location in the shared store is left out: it becomes known later and does not affect
 * verdicts.
 */
export function sealOfItem({ hash, validator, datatype, created, value, blob }: Omit<PayloadData, 'id'>): string {
  const hasValue = value !== undefined && (value !== noValue || blob === undefined);
  return sha256(write(ItemDescription, { hash, validator, datatype, created, hasValue, blob }));
}

/** `datahash`: over the compact list of references, in the message's order (docs/protocol.md §3.1). */
export function hashOfReferences(data: readonly DataReference[]): string {
  return sha256(`[${data.map((reference) => write(DataReferenceSchema, reference)).join(',')}]`);
}

/**
 * Hash of a message: over its compact header in the order of docs/protocol.md §5.1, without `topic` and empty fields.
 */
export function hashOfHeader(header: HashedHeader): string {
  return sha256(write(HashedHeader, header));
}
