import { BatchPayload, type PayloadData, payloadVersion } from '../../wire/messages/batch.js';
import { check } from '../../wire/check.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { GroupMember } from '../../wire/messages/group.js';
import { read } from '../../wire/json/json-reader.js';
import { isMember } from '../group.js';
import { hashOfItem } from '../hash.js';
import { networkLimits } from '../network/limits.js';
import { faultOfMessage, isPrivateType, sizeOfMessage } from './message.js';
import { contextsOf, maskedPin } from './pin.js';

/** The facts of pin and registry against which a batch's payload is verified. */
export interface PinnedFacts {
  readonly id: string;
  readonly transactionId: string;
  readonly signer: string;
  /** DID of the owner of the signing key at the position of the pin. */
  readonly identity: string;
  /** Identity id of that member's node. */
  readonly node: string;
  readonly contexts: readonly string[];
  /** A broadcast is pinned with a reference to the shared store, a private batch without one. */
  readonly type: BatchPayload['type'];
  /** The group that came with a private batch, with its computed hash. */
  readonly group?: VerifiedGroup | undefined;
  /** The limit of the network on topics times members of a private batch, if it has one. */
  readonly maxExpectedPins?: number | undefined;
}

/** A group whose hash was computed here. */
export interface VerifiedGroup {
  readonly hash: string;
  readonly namespace: string;
  readonly members: readonly GroupMember[];
}

export type BatchVerdict =
  | { readonly status: 'valid'; readonly payload: BatchPayload }
  | { readonly status: 'void'; readonly reason: string }
  /** A version that this program does not know; it is not judged, it waits (docs/protocol.md §2.3). */
  | { readonly status: 'unknown_version'; readonly version: number };

/** A parsed payload, checked as far as possible without its pin, in time proportional to its length. */
export type ExaminedPayload =
  | {
      readonly status: 'read';
      readonly payload: BatchPayload;
      /** The fault of its messages and items, if any, whatever its pin is. */
      readonly fault: string | undefined;
      /** The contexts of its messages, which its pin must have. */
      readonly contexts: readonly string[];
    }
  | Exclude<BatchVerdict, { readonly status: 'valid' }>;

/** Parses a payload and checks each rule of docs/protocol.md §8.3 that needs only the payload. It never throws. */
export function examinePayload(text: string): ExaminedPayload {
  const parsed = readPayload(text);
  if (parsed.status !== 'valid') return parsed;
  const { payload } = parsed;
  const fault = faultOfItems(payload) ?? faultOfBlobs(payload) ?? faultOfMessages(payload);
  return { status: 'read', payload, fault, contexts: contextsOf(payload.messages) };
}

/**
 * Verifies a payload with the pinned hash by docs/protocol.md §8.3, except rule 11, which needs the log, and rule 12,
 * which depends on the node. The verdict depends only on payload, pin and registry, so all holders agree. It never
 * throws: payloads are remote input.
 */
export function verifyPayload(examined: ExaminedPayload, facts: PinnedFacts): BatchVerdict {
  if (examined.status !== 'read') return examined;
  const { payload, fault, contexts } = examined;
  const reason =
    faultOfEnvelope(payload, facts) ??
    fault ??
    faultOfGroup(payload, facts) ??
    (sameList(contexts, facts.contexts) ? undefined : 'the contexts are not those of the messages');
  return reason === undefined ? { status: 'valid', payload } : { status: 'void', reason };
}

/**
 * Parses a payload of the version that this program knows, or returns why it is invalid (docs/protocol.md §8.3). It
 * never throws.
 */
export function readPayload(text: string): BatchVerdict {
  const fault = (reason: string) => ({ status: 'void', reason }) as const;
  if (Buffer.byteLength(text) > networkLimits.maxPayloadBytes) return fault('the payload is too large');
  try {
    const { value, unknown, tooLong } = read(text, BatchPayload);
    const version = versionOf(value);
    // A later version may have other fields; only its version may be read.
    if (version !== undefined && version !== payloadVersion) return { status: 'unknown_version', version };
    if (tooLong !== undefined) return fault(`too many ${tooLong}`);
    const [stranger] = unknown;
    if (stranger !== undefined) return fault(`unknown field ${stranger}`);
    if (!check(BatchPayload, value)) return fault('a field is missing or of the wrong type');
    return { status: 'valid', payload: value };
  } catch (error) {
    if (error instanceof ServiceError) return fault(error.text);
    throw error;
  }
}

/**
 * Every masked pin that is looked up to judge the nonces of a private batch: those of its own nonces, and of the nonces
 * before them.
 */
export function pinsToCompare({ messages }: BatchPayload): readonly string[] {
  return [...new Set(noncesOf(messages).flatMap(({ hash, before }) => (before === undefined ? hash : [hash, before])))];
}

/**
 * The fault of a private batch's nonces (docs/protocol.md §8.3): each pin must be the author's first of its value in
 * the log, and the previous nonce must precede it. `places` are the sequences of the batch's own pins in order, `first`
 * returns the sequence of the author's first pin of a value.
 */
export function faultOfNonces(
  { messages }: BatchPayload,
  places: readonly number[],
  first: ReadonlyMap<string, number>,
): string | undefined {
  for (const [index, { hash, before }] of noncesOf(messages).entries()) {
    const place = places[index] ?? 0;
    if (first.get(hash) !== place) return 'a nonce that was pinned before';
    if (before !== undefined && (first.get(before) ?? Infinity) >= place) return 'a nonce before its predecessor';
  }
  return undefined;
}

/** A nonce that must precede a private batch, as all lower nonces must. */
export interface NonceBefore {
  readonly topic: string;
  readonly group: string;
  readonly nonce: number;
  /** The sequence that it must precede. */
  readonly place: number;
}

/** For each topic of a private batch, the nonce before its first one, with the sequence of that one. */
export function noncesBefore({ messages }: BatchPayload, places: readonly number[]): readonly NonceBefore[] {
  const firsts = new Map<string, NonceBefore>();
  let index = 0;
  for (const { header, nonces = [] } of messages) {
    for (const [i, topic] of header.topics.entries()) {
      const place = places[index++] ?? 0;
      if (firsts.has(topic)) continue;
      firsts.set(topic, { topic, group: header.group ?? '', nonce: (nonces[i] ?? 0) - 1, place });
    }
  }
  return [...firsts.values()].filter(({ nonce }) => nonce >= 0);
}

function noncesOf(messages: BatchPayload['messages']): { readonly hash: string; readonly before?: string }[] {
  return messages.flatMap(({ header: { topics, group = '', author }, nonces = [] }) =>
    topics.map((topic, index) => {
      const nonce = nonces[index] ?? 0;
      const hash = maskedPin(topic, group, author, nonce);
      return nonce === 0 ? { hash } : { hash, before: maskedPin(topic, group, author, nonce - 1) };
    }),
  );
}

/**
 * The fault of the items of messages, or undefined: their hashes must recompute, and they must be exactly those that
 * are referred to, each once (docs/protocol.md §8.3). It never throws.
 */
export function faultOfItems({ messages, data }: Pick<BatchPayload, 'messages' | 'data'>): string | undefined {
  const items = new Map(data.map((item) => [item.id, item.hash]));
  if (items.size < data.length) return 'a data item is listed twice';
  const fault = data.map(faultOfItem).find((reason) => reason !== undefined);
  if (fault !== undefined) return fault;
  const referenced = new Set<string>();
  for (const { data: references } of messages) {
    for (const { id, hash } of references) {
      if (items.get(id) !== hash) return 'a data item that a message refers to is missing';
      referenced.add(id);
    }
  }
  return referenced.size === items.size ? undefined : 'a data item that no message refers to';
}

function faultOfItem(item: PayloadData): string | undefined {
  if (item.value === undefined && item.blob === undefined) return 'a data item without content';
  if (hashOfItem(item) !== item.hash) return 'a data hash differs';
  if (item.validator !== 'json' && item.validator !== 'none') return 'unknown validator';
  if (item.blob !== undefined && !isSize(item.blob.size)) return 'a blob of no possible size';
  return undefined;
}

function isSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}

function versionOf(value: unknown): number | undefined {
  const version = typeof value === 'object' && value !== null && 'version' in value ? value.version : undefined;
  return Number.isInteger(version) ? Number(version) : undefined;
}

function faultOfEnvelope(payload: BatchPayload, facts: PinnedFacts): string | undefined {
  if (payload.id !== facts.id) return 'the batch id is not the pinned one';
  if (payload.tx.id !== facts.transactionId) return 'the transaction id is not the pinned one';
  if (payload.type !== facts.type) return 'the type does not go with the pin';
  if (payload.key !== facts.signer) return 'the key is not the signer';
  if (payload.author !== facts.identity) return 'the author is not the owner of the key';
  if (payload.node !== facts.node) return "the node is not the author's";
  if (payload.messages.length === 0) return 'no messages';
  return undefined;
}

/** Checks that the blobs of a broadcast are available to everybody (docs/protocol.md §8.3). */
function faultOfBlobs({ type, data }: BatchPayload): string | undefined {
  const isHidden = type === 'broadcast' && data.some(({ blob }) => blob !== undefined && blob.public === undefined);
  return isHidden ? 'a blob that is not in the shared store' : undefined;
}

function faultOfMessages(payload: BatchPayload): string | undefined {
  const values = new Map(payload.data.map((item) => [item.id, item.value]));
  const ids = new Set<string>();
  let bytes = 0;
  for (const message of payload.messages) {
    const { header } = message;
    if (header.author !== payload.author || header.key !== payload.key) return 'a message of another author';
    if (header.namespace !== payload.namespace) return 'a message of another namespace';
    if (header.txtype !== 'batch_pin') return 'a message that belongs into no batch';
    const fault = faultOfMessage(message) ?? faultOfKind(payload.type, message);
    if (fault !== undefined) return fault;
    ids.add(header.id);
    bytes += sizeOfMessage(message.data.flatMap(({ id }) => values.get(id) ?? []));
  }
  if (ids.size < payload.messages.length) return 'a message is listed twice';
  return bytes > networkLimits.maxBatchDataBytes ? 'more data than a batch may have' : undefined;
}

/** Checks that types fit, and that a private message has a nonce for each topic (docs/protocol.md §8.3, §7.1). */
function faultOfKind(
  type: BatchPayload['type'],
  { header, nonces }: BatchPayload['messages'][number],
): string | undefined {
  if (isPrivateType(header.type) !== (type === 'private')) return 'a message of another type than its batch';
  const count = type === 'private' ? header.topics.length : undefined;
  return nonces?.length === count ? undefined : 'not one nonce a topic';
}

/**
 * Checks that all messages name the same group, that it is not too large for their topics, and that the author is a
 * member with its node (docs/protocol.md §8.3).
 */
function faultOfGroup(payload: BatchPayload, { group, maxExpectedPins = Infinity }: PinnedFacts): string | undefined {
  if (payload.type === 'broadcast') return undefined;
  if (group === undefined) return 'no group came with it';
  if (group.namespace !== payload.namespace) return 'a group of another namespace';
  if (payload.messages.some(({ header }) => header.group !== group.hash)) return 'a message of another group';
  const topics = new Set(payload.messages.flatMap(({ header }) => header.topics));
  if (topics.size * group.members.length > maxExpectedPins) return 'more topics than a batch of this group may have';
  const author = { identity: payload.author, node: payload.node };
  return isMember(group.members, author) ? undefined : 'the author is not a member of the group';
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
