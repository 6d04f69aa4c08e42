import { sealOfItem } from '../../../domain/hash.js';
import { type SealedMessage, sizeOfMessage } from '../../../domain/messages/message.js';
import type { DataRow, ListedItems, MessageRow, NewRow } from '../../../ports/tables/tables.js';
import { undecidedRank } from '../../../wire/lists/query.js';
import type { PayloadData } from '../../../wire/messages/batch.js';
import type { DataReference } from '../../../wire/data/data.js';

/** The fields of an item that a message's row depends on. */
export type DescribedItem = Pick<PayloadData, 'value' | 'blob' | 'datatype'> & Pick<DataRow, 'seal'>;

export interface MessagePlace {
  /** Must contain every item that the message refers to. */
  readonly items: ReadonlyMap<string, DescribedItem>;
  readonly state: MessageRow['state'];
  readonly pins: readonly string[];
  readonly nonces?: readonly number[] | undefined;
  readonly batch?: { readonly id: string; readonly hash: string } | undefined;
  readonly txid?: string | undefined;
  /** Set for a message that is confirmed on arrival. */
  readonly confirmed?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly steps?: number | undefined;
}

export function newMessage({ header, hash, data }: SealedMessage, place: MessagePlace): NewRow<'messages'> {
  const { state, pins, nonces = null, batch, txid = null, confirmed = null, idempotencyKey = null } = place;
  const { id, type, txtype, author, key, created, namespace, topics, datahash, txparent } = header;
  const listed = listedItems(data, place.items);
  // Each member is written by name: V8 turns an object with so many members that is spread from others into a
  // dictionary.
  return {
    id,
    cid: header.cid ?? null,
    type,
    txtype,
    author,
    key,
    created,
    namespace,
    group: header.group ?? null,
    topics,
    tag: header.tag ?? null,
    datahash,
    parentType: txparent?.type ?? null,
    parentId: txparent?.id ?? null,
    hash,
    data: listed.data,
    hasBlobs: listed.hasBlobs,
    hasDatatypes: listed.hasDatatypes,
    sizeBytes: listed.sizeBytes,
    steps: place.steps ?? 0,
    pins,
    nonces,
    state,
    batch: batch?.id ?? null,
    batchHash: batch?.hash ?? null,
    txid,
    confirmed,
    rejected: null,
    rejectReason: null,
    idempotencyKey,
    rank: confirmed ?? `${undecidedRank}${created}`,
  };
}

/** Time when a message was confirmed or rejected here; null if undecided. */
export function decidedAt({ confirmed, rejected }: Pick<MessageRow, 'confirmed' | 'rejected'>): string | null {
  return confirmed ?? rejected;
}

export function listedItems(
  references: readonly DataReference[],
  items: ReadonlyMap<string, DescribedItem>,
): ListedItems {
  const described = references.map((reference) => ({ reference, item: items.get(reference.id) }));
  return {
    data: described.map(({ reference: { id, hash }, item }) => ({ id, hash, seal: item?.seal ?? '' })),
    hasBlobs: described.some(({ item }) => item?.blob !== undefined),
    hasDatatypes: described.some(({ item }) => item?.datatype !== undefined),
    sizeBytes: sizeOfMessage(described.flatMap(({ item }) => item?.value ?? [])),
  };
}

export function describedItems(items: readonly PayloadData[]): ReadonlyMap<string, DescribedItem> {
  return new Map(items.map((item) => [item.id, { ...item, seal: sealOfItem(item) }]));
}
