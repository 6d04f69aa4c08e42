import { profileRulesOfAuthor } from '../network/profile.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { DataReference } from '../../wire/data/data.js';
import type { HashedHeader, MessageType, ParentType } from '../../wire/messages/message.js';
import { type JsonText, namePattern } from '../../wire/scalar.js';
import { hashOfHeader, hashOfReferences } from '../hash.js';
import { reservedPrefix, smokeName, systemNamespace } from '../network/identity.js';
import { messageOverheadBytes, networkLimits } from '../network/limits.js';

/** A message whose content is fixed: its hash covers the header, which covers the data. */
export interface SealedMessage {
  readonly header: HashedHeader;
  readonly hash: string;
  readonly data: readonly DataReference[];
}

export type UnsealedHeader = Omit<HashedHeader, 'datahash'>;

/** The fields of a header that may be reserved for the system. */
export interface Reservable {
  readonly namespace: string;
  readonly type: MessageType;
  readonly topics: readonly string[];
  readonly tag: string | undefined;
}

export const defaultTopics: readonly string[] = ['default'];

/** The types of messages attached to an operation, by the type of its transaction (docs/api.md §19.3, §20). */
export const attachedTypes = {
  token_transfer: { open: ['broadcast', 'transfer_broadcast'], closed: ['transfer_private', 'private'] },
  token_approval: { open: ['broadcast', 'approval_broadcast'], closed: ['approval_private', 'private'] },
  contract_invoke: { open: ['broadcast'], closed: ['private'] },
} as const satisfies Readonly<Record<ParentType, { readonly [K in 'open' | 'closed']: readonly MessageType[] }>>;

/** Whether messages of a type go to a group rather than to everybody. */
export function isPrivateType(type: MessageType): boolean {
  return type === 'private' || type === 'transfer_private' || type === 'approval_private';
}

/** Seals a message by hashing it. The header takes the order of docs/protocol.md §5.1; absent fields are left out. */
export function sealMessage(header: UnsealedHeader, data: readonly DataReference[]): SealedMessage {
  const sealed: HashedHeader = { ...header, topics: [...header.topics], datahash: hashOfReferences(data) };
  return { header: sealed, hash: hashOfHeader(sealed), data };
}

/**
 * The fault of a sealed message from outside, or undefined if it is sound (docs/protocol.md §5.2): its hashes must
 * recompute, and a node must have been able to accept its header. It never throws.
 */
export function faultOfMessage(message: SealedMessage): string | undefined {
  const { header, data } = message;
  if (hashOfReferences(data) !== header.datahash) return 'datahash differs';
  if (hashOfHeader(header) !== message.hash) return 'message hash differs';
  const isPrivate = isPrivateType(header.type);
  if (isPrivate !== (header.group !== undefined)) return 'the group does not go with the type';
  const { takesEmptyBroadcasts } = profileRulesOfAuthor(header.author);
  if (!isPrivate && data.length === 0 && !takesEmptyBroadcasts) return 'nothing to send to everybody';
  if (data.length > networkLimits.maxDataItems) return 'too many data items';
  if (new Set(data.map((item) => item.id)).size < data.length) return 'a data item is listed twice';
  return faultOfParent(header) ?? faultOfTopics(header.topics) ?? faultOfTag(header.tag) ?? faultOfReserved(header);
}

/**
 * Resolves the topics of a request: `topics`, else `topic`, else the default; an empty list is absent (docs/api.md
 * §10.2).
 *
 * @throws ServiceError field_type if the two differ, too_many, duplicate, bad_name
 */
export function resolveTopics(topics: readonly string[] = [], topic: readonly string[] = []): readonly string[] {
  const given = topics.length === 0 ? topic : topics;
  if (topic.length > 0 && topic.join() !== given.join()) {
    const [expected, actual] = ['the same as header.topics, or left out', `[${topic.join(', ')}]`];
    throw new ServiceError('field_type', { field: 'header.topic', expected, actual });
  }
  if (given.length === 0) return defaultTopics;
  if (given.length > networkLimits.maxTopics) {
    throw new ServiceError('too_many', { field: 'header.topics', max: networkLimits.maxTopics, actual: given.length });
  }
  given.forEach((name, index) => {
    if (!namePattern.test(name)) throw new ServiceError('bad_name', { field: `header.topics[${index}]`, actual: name });
    if (given.indexOf(name) < index) throw new ServiceError('duplicate', { field: 'header.topics', actual: name });
  });
  return given;
}

/** Resolves the tag of a request; empty = none (docs/api.md §10.2). @throws ServiceError bad_name */
export function resolveTag(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === '') return undefined;
  if (!namePattern.test(tag)) throw new ServiceError('bad_name', { field: 'header.tag', actual: tag });
  return tag;
}

/**
 * Refuses reserved names. The only user message that may have them is the start-up check, a broadcast; only that may be
 * written into the system namespace (docs/protocol.md §5.2).
 *
 * @throws ServiceError reserved_name, namespace_read_only
 */
export function checkReserved({ namespace, type, topics, tag }: Reservable): void {
  if (namespace === systemNamespace) {
    if (type === 'broadcast' && isSmoke(topics, tag)) return;
    throw new ServiceError('namespace_read_only', { namespace });
  }
  const topic = topics.find((name) => name.startsWith(reservedPrefix));
  if (topic !== undefined) throw new ServiceError('reserved_name', { field: 'The topic', actual: topic });
  if (tag?.startsWith(reservedPrefix) === true)
    throw new ServiceError('reserved_name', { field: 'The tag', actual: tag });
}

/** Size charged for a message when a batch is filled, in bytes (docs/api.md §10.2). */
export function sizeOfMessage(values: readonly JsonText[]): number {
  return values.reduce((bytes, value) => bytes + Buffer.byteLength(value), messageOverheadBytes);
}

/** Checks that a message attached to an operation is pinned and has a type for such messages (docs/api.md §19.3). */
function faultOfParent({ type, txtype, txparent }: HashedHeader): string | undefined {
  if (txparent === undefined) {
    const isFree = type === 'broadcast' || type === 'private' || type === 'definition';
    return isFree ? undefined : 'a message of an operation without its transaction';
  }
  const { open, closed }: Attachable = attachedTypes[txparent.type];
  if (![...open, ...closed].includes(type)) return 'the type does not go with the transaction';
  return txtype === 'batch_pin' ? undefined : 'a message of an operation that is not pinned';
}

type Attachable = { readonly [K in 'open' | 'closed']: readonly MessageType[] };

function faultOfTopics(topics: readonly string[]): string | undefined {
  if (topics.length === 0 || topics.length > networkLimits.maxTopics) return 'no topic, or too many';
  if (new Set(topics).size < topics.length) return 'a topic is listed twice';
  return topics.every(isSystemOrUserName) ? undefined : 'a topic is not a name';
}

function faultOfTag(tag: string | undefined): string | undefined {
  return tag === undefined || isSystemOrUserName(tag) ? undefined : 'the tag is not a name';
}

/** System names may be longer, since they contain the name of a namespace (docs/protocol.md §2.2). */
const systemNamePattern = /^svc_[A-Za-z0-9._-]{1,76}$/;

function isSystemOrUserName(name: string): boolean {
  return name.startsWith(reservedPrefix) ? systemNamePattern.test(name) : namePattern.test(name);
}

/**
 * Checks that reserved topics, reserved tags and the system namespace occur only together, in definitions and the
 * start-up check (docs/protocol.md §5.2).
 */
function faultOfReserved({ namespace, topics, tag, type }: HashedHeader): string | undefined {
  const marks = [namespace === systemNamespace, tag?.startsWith(reservedPrefix) === true];
  marks.push(...topics.map((topic) => topic.startsWith(reservedPrefix)));
  if (!marks.includes(true)) return type === 'definition' ? 'a definition outside the system namespace' : undefined;
  if (marks.includes(false)) return 'reserved and free names are mixed';
  return type === 'definition' || (type === 'broadcast' && isSmoke(topics, tag))
    ? undefined
    : 'a reserved name on a message of a user';
}

function isSmoke(topics: readonly string[], tag: string | undefined): boolean {
  return tag === smokeName && topics.length === 1 && topics[0] === smokeName;
}
