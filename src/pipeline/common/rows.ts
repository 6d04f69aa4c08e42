import { hashOfGroup, normalMembers } from '../../domain/group.js';
import { sealOfItem } from '../../domain/hash.js';
import { definedNamespace, definitionEventTopic } from '../../domain/network/identity.js';
import { type SealedMessage, sizeOfMessage } from '../../domain/messages/message.js';
import type { GroupRow } from '../../ports/tables/messaging-tables.js';
import type {
  DataRow,
  ListedItems,
  MessageRow,
  NewRow,
  OperationRow,
  TransactionType,
} from '../../ports/tables/tables.js';
import { undecidedRank } from '../../wire/lists/query.js';
import type { PayloadData } from '../../wire/messages/batch.js';
import type { DataReference } from '../../wire/data/data.js';
import { noValue } from '../../wire/scalar.js';

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

/** Builds the row of a group; members are sorted and deduplicated. */
export function newGroup(
  namespace: string,
  {
    name,
    members,
    created,
    message = null,
  }: Pick<GroupRow, 'name' | 'members' | 'created'> & Partial<Pick<GroupRow, 'message'>>,
): NewRow<'groups'> {
  const normal = normalMembers(members);
  return { namespace, hash: hashOfGroup(namespace, name, normal), name, members: normal, created, message };
}

/**
 * Returns the namespace of the event about a decision: the message's own, except that the rejection of this node's own
 * definition is reported in the namespace that it was for, because applications do not listen to the system namespace.
 */
export function namespaceOfDecision(
  { namespace, type, topics, key }: Pick<MessageRow, 'namespace' | 'type' | 'topics' | 'key'>,
  state: 'confirmed' | 'rejected',
  own: { readonly keys: readonly string[] },
): string {
  const isOwn = type === 'definition' && state === 'rejected' && own.keys.includes(key);
  return (isOwn ? definedNamespace(topics) : undefined) ?? namespace;
}

/**
 * Returns all namespaces that get an event about a decision. For a definition these include the namespace that it was
 * for, where FireFly's clients wait for the message.
 */
export function namespacesOfDecision(
  message: Pick<MessageRow, 'namespace' | 'type' | 'topics' | 'key'>,
  state: 'confirmed' | 'rejected',
  own: { readonly keys: readonly string[] },
): readonly string[] {
  const defined = message.type === 'definition' ? definedNamespace(message.topics) : undefined;
  const first = namespaceOfDecision(message, state, own);
  return defined === undefined || defined === first ? [first] : [first, defined];
}

/** Builds the event about the decision of a message (docs/api.md §13.2). */
export function newMessageEvent(
  message: Pick<MessageRow, 'namespace' | 'id' | 'hash' | 'cid' | 'topics' | 'author' | 'group' | 'tag' | 'txtype'>,
  event: {
    readonly id: string;
    readonly state: 'confirmed' | 'rejected';
    readonly tx: string;
    readonly correlator?: string | undefined;
    readonly created: string;
    readonly namespace?: string;
  },
): NewRow<'events'> {
  const { id, state, tx, correlator, created, namespace = message.namespace } = event;
  return {
    namespace,
    id,
    type: `message_${state}`,
    reference: message.id,
    referenceHash: message.hash,
    correlator: correlator ?? message.cid,
    tx,
    topic: message.topics[0] ?? null,
    topics: message.topics,
    author: message.author,
    group: message.group,
    tag: message.tag,
    txtype: message.txtype,
    chainName: null,
    listener: null,
    created,
  };
}

/**
 * Builds the event of a message whose operation has failed permanently or needs someone to act. It refers to the
 * operation but has the message's fields, so that filters by message match.
 */
export function newOperationEvent(
  type: 'message_op_failed' | 'message_op_waiting',
  message: Pick<MessageRow, 'namespace' | 'id' | 'hash' | 'topics' | 'author' | 'group' | 'tag' | 'txtype'>,
  operation: Pick<OperationRow, 'id' | 'tx'>,
  { id, created }: { readonly id: string; readonly created: string },
): NewRow<'events'> {
  const { namespace, id: correlator, hash: referenceHash, topics, author, group, tag, txtype } = message;
  const subject = { namespace, id, reference: operation.id, referenceHash, correlator, tx: operation.tx, created };
  return {
    ...newEvent({ ...subject, type, txtype, topic: topics[0] ?? null }),
    topics,
    author,
    group,
    tag,
  };
}

export type EventSubject = Pick<NewRow<'events'>, 'namespace' | 'id' | 'type' | 'reference' | 'created'> &
  Partial<
    Pick<NewRow<'events'>, 'referenceHash' | 'correlator' | 'tx' | 'txtype' | 'topic' | 'chainName' | 'listener'>
  >;

/** Builds an event that is not about a message (docs/api.md §13.2); filters by message do not match it. */
export function newEvent(event: EventSubject): NewRow<'events'> {
  const { topic = null } = event;
  return {
    referenceHash: '',
    correlator: null,
    tx: null,
    txtype: null,
    chainName: null,
    listener: null,
    ...event,
    topic,
    topics: topic === null ? [] : [topic],
    author: null,
    group: null,
    tag: null,
  };
}

export function newDefinitionEvent(
  event: Omit<EventSubject, 'topic'> & {
    /** By default that of all definitions. */
    readonly topic?: string | undefined;
  },
): NewRow<'events'> {
  return newEvent({ ...event, topic: event.topic ?? definitionEventTopic });
}

/**
 * Builds the event of a transaction that this node has started; other participants have no such event (docs/api.md
 * §13.2).
 */
export function newSubmittedEvent(transaction: NewRow<'transactions'>, id: string): NewRow<'events'> {
  const { namespace, id: tx, type, created } = transaction;
  const subject = { namespace, id, type: 'transaction_submitted', reference: tx } as const;
  return newEvent({ ...subject, tx, txtype: type, topic: type, created });
}

/** Builds the row of a transaction, which groups operations (docs/api.md §18.1). */
export function newTransaction(
  namespace: string,
  {
    id,
    type,
    created,
    idempotencyKey,
  }: {
    readonly id: string;
    readonly type: TransactionType;
    readonly created: string;
    readonly idempotencyKey?: string | undefined;
  },
): NewRow<'transactions'> {
  return { namespace, id, type, created, idempotencyKey: idempotencyKey ?? null, blockchainIds: [] };
}
