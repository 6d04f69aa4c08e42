import { sealOfItem } from '../../../domain/hash.js';
import type { NewRow } from '../../../ports/tables/tables.js';
import type { PayloadData } from '../../../wire/messages/batch.js';
import { noValue } from '../../../wire/scalar.js';

/** Builds the row of a data item. @param seal the item's seal, if already computed */
export function newData(namespace: string, item: PayloadData, seal = sealOfItem(item)): NewRow<'data'> {
  const { id, validator, hash, created, value = noValue, datatype, blob } = item;
  return {
    namespace,
    id,
    validator,
    hash,
    created,
    value,
    datatypeName: datatype?.name ?? null,
    datatypeVersion: datatype?.version ?? null,
    blobHash: blob?.hash ?? null,
    blobSize: blob?.size ?? null,
    blobName: blob?.name ?? null,
    blobPath: blob?.path ?? null,
    blobPublic: blob?.public ?? null,
    public: null,
    seal,
  };
}

/** A stored data item in the form of payloads and envelopes (docs/protocol.md §7.1). */
export function payloadData(row: NewRow<'data'>): PayloadData {
  const { id, validator, hash, created, value } = row;
  const datatype = datatypeOf(row);
  const blob = blobOf(row);
  return {
    id,
    validator,
    ...(datatype !== undefined && { datatype }),
    hash,
    created,
    ...(hasValue(row) && { value }),
    ...(blob !== undefined && { blob }),
  };
}

/** Whether an item has a value, which may be null; a file may have none. */
export function hasValue({ value, blobHash }: Pick<NewRow<'data'>, 'value' | 'blobHash'>): boolean {
  return value !== noValue || blobHash === null;
}

export function datatypeOf({ datatypeName: name, datatypeVersion: version }: NewRow<'data'>) {
  return name === null || version === null ? undefined : { name, version };
}

export function blobOf({ blobHash: hash, blobSize: size, blobName: name, blobPath: path, blobPublic }: NewRow<'data'>) {
  if (hash === null) return undefined;
  return {
    hash,
    size: size ?? 0,
    ...(name !== null && { name }),
    ...(path !== null && { path }),
    ...(blobPublic !== null && { public: blobPublic }),
  };
}
