import { BatchPayload, type PayloadData, payloadVersion } from '../wire/batch.js';
import { check } from '../wire/check.js';
import { ServiceError } from '../wire/error.js';
import type { GroupMember } from '../wire/group.js';
import { read } from '../wire/json-reader.js';
import { isMember } from './group.js';
import { hashOfItem } from './hash.js';
import { networkLimits } from './limits.js';
import { faultOfMessage, isPrivateType, sizeOfMessage } from './message.js';
import { contextsOf, maskedPin } from './pin.js';

/** What the pin and the registry say about a batch, against which its payload is judged. */
export interface PinnedFacts {
  readonly id: string;
  readonly transactionId: string;
  readonly signer: string;
  /** DID of the owner of the signer's key at the pin. */
  readonly identity: string;
  /** Identity id of that member's node. */
  readonly node: string;
  readonly contexts: readonly string[];
  /** A broadcast is pinned with a reference of the shared store, a private batch without one. */
  readonly type: BatchPayload['type'];
  /** The group that came beside a private batch, under the hash that it really has. */
  readonly group?: VerifiedGroup | undefined;
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
  /** A version that this program does not know: it is not judged, it waits (S §8.3, 5). */
  | { readonly status: 'unknown_version'; readonly version: number };

/** A payload as far as it speaks for itself, which costs as much as it is long. */
export type ExaminedPayload =
  | {
      readonly status: 'read';
      readonly payload: BatchPayload;
      /** Why its messages and items do not hold, whatever its pin says. */
      readonly fault: string | undefined;
      /** The contexts of its messages, as its pin must have them. */
      readonly contexts: readonly string[];
    }
  | Exclude<BatchVerdict, { readonly status: 'valid' }>;

/** Reads a payload, and holds it to each rule of S §8.5 that needs nothing but the payload. It never throws. */
export function examinePayload(text: string): ExaminedPayload {
  const parsed = readPayload(text);
  if (parsed.status !== 'valid') return parsed;
  const { payload } = parsed;
  const fault = faultOfItems(payload) ?? faultOfBlobs(payload) ?? faultOfMessages(payload);
  return { status: 'read', payload, fault, contexts: contextsOf(payload.messages) };
}

/**
 * Judges a payload that has the pinned hash by all of S §8.5 but its last rule, for which the log must be asked. The
 * verdict follows from payload, pin and registry alone, so all holders agree. It never throws: a payload is remote
 * input.
 */
export function verifyPayload(examined: ExaminedPayload, facts: PinnedFacts): BatchVerdict {
  if (examined.status !== 'read') return examined;
  const { payload, fault, contexts } = examined;
  const reason =
    faultOfEnvelope(payload, facts) ??
    fault ??
    faultOfGroup(payload, facts.group) ??
    (sameList(contexts, facts.contexts) ? undefined : 'the contexts are not those of the messages');
  return reason === undefined ? { status: 'valid', payload } : { status: 'void', reason };
}

/** Reads a payload of the version that this program knows, or says why it is none (S §8.5, 1). It never throws. */
export function readPayload(text: string): BatchVerdict {
  const fault = (reason: string) => ({ status: 'void', reason }) as const;
  if (Buffer.byteLength(text) > networkLimits.maxPayloadBytes) return fault('the payload is too large');
  try {
    const { value, unknown } = read(text, BatchPayload);
    const version = versionOf(value);
    // A later version may have other fields: its version is all that may be read of it.
    if (version !== undefined && version !== payloadVersion) return { status: 'unknown_version', version };
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
 * Every masked pin on which the nonces of a private batch are judged: those of its own nonces, and of the nonces before
 * them.
 */
export function pinsToCompare({ messages }: BatchPayload): readonly string[] {
  return [...new Set(noncesOf(messages).flatMap(({ hash, before }) => (before === undefined ? hash : [hash, before])))];
}

/**
 * Why the nonces of a private batch do not hold (S §8.5, 9): each pin is the first of its value by its author in the
 * log, and the nonce before stands earlier. `places` are the sequences of the batch's own pins in order, `first` the
 * place of the first pin of a value by the author.
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

/** A nonce that must stand before a private batch, as all nonces below it must. */
export interface NonceBefore {
  readonly topic: string;
  readonly group: string;
  readonly nonce: number;
  /** The sequence that it must stand before. */
  readonly place: number;
}

/** Of each topic of a private batch, the nonce before its first one, with the place of that one. */
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
 * Why the items of messages do not hold, or undefined: their hashes recompute, and they are exactly those that are
 * referred to, each once (S §8.5, 5). It never throws.
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
  if (payload.messages.length > networkLimits.maxBatchMessages) return 'too many messages';
  return undefined;
}

/** Everybody must be able to get the blobs of a broadcast (S §8.5, 8). */
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

/** Types fit, and a private message has a nonce for each topic (S §8.5, 4; §7.2). */
function faultOfKind(
  type: BatchPayload['type'],
  { header, nonces }: BatchPayload['messages'][number],
): string | undefined {
  if (isPrivateType(header.type) !== (type === 'private')) return 'a message of another type than its batch';
  const count = type === 'private' ? header.topics.length : undefined;
  return nonces?.length === count ? undefined : 'not one nonce a topic';
}

/** All messages name the one group, of which the author with its node is a member (S §8.5, 6). */
function faultOfGroup(payload: BatchPayload, group: VerifiedGroup | undefined): string | undefined {
  if (payload.type === 'broadcast') return undefined;
  if (group === undefined) return 'no group came with it';
  if (group.namespace !== payload.namespace) return 'a group of another namespace';
  if (payload.messages.some(({ header }) => header.group !== group.hash)) return 'a message of another group';
  const author = { identity: payload.author, node: payload.node };
  return isMember(group.members, author) ? undefined : 'the author is not a member of the group';
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
