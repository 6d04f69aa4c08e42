import { BatchPayload, type PayloadData, payloadVersion } from '../../wire/messages/batch.js';
import { write } from '../../wire/json/json.js';
import { sha256 } from '../hash.js';
import { networkLimits } from '../network/limits.js';
import { recordedLimits } from '../network/network-rules.js';
import type { SealedMessage } from './message.js';
import { contextsOf, groupContext } from './pin.js';

/** The fields of a message that are read to fill a batch. */
export interface Fillable {
  readonly namespace: string;
  readonly author: string;
  /** Hash of the group of a private message. */
  readonly group: string | null;
  readonly topics: readonly string[];
  readonly sizeBytes: number;
  /** Validation steps that its typed values take. */
  readonly steps: number;
}

/** A message of a batch; a private one has its author's nonces, one per topic. */
export interface BatchMessage extends SealedMessage {
  readonly nonces?: readonly number[] | undefined;
}

/** A batch that is ready to be stored, uploaded and pinned. */
export interface SealedBatch {
  readonly id: string;
  readonly hash: string;
  readonly payload: string;
  readonly contexts: readonly string[];
}

export interface BatchContent {
  readonly id: string;
  readonly namespace: string;
  readonly node: string;
  readonly author: string;
  readonly key: string;
  readonly transactionId: string;
  readonly created: string;
  readonly messages: readonly BatchMessage[];
  /** Every data item that the messages refer to, once. */
  readonly data: readonly PayloadData[];
}

/** Limits of a node's own batches; never above those of the network. */
export interface BatchLimits {
  readonly maxMessages: number;
  /** Limit for data; a larger message gets a batch of its own. */
  readonly maxBytes: number;
}

/** Limits of a batch, also those that follow from what waits. */
export interface FillLimits extends Partial<BatchLimits> {
  readonly maxSteps?: number | undefined;
  /** The number of topics that a private batch of a group may have. */
  readonly maxTopics?: (group: string) => number;
}

/**
 * Returns the number of topics that a private batch may have for a group of this size (docs/protocol.md §8.3). Nodes
 * keep to it in networks without the limit too, since every member stores all expected pins of a batch in one unit.
 */
export function maxTopicsFor(members: number): number {
  return Math.floor(recordedLimits.maxBatchExpectedPins / members);
}

/**
 * Selects which waiting messages of a key and kind, in order of acceptance, go into the next batch
 * (docs/protocol.md §7.2). The oldest that is not held opens the batch; later messages of the same set follow while
 * number, size, validation steps and topics fit. A message is never taken ahead of one left behind that shares a
 * context with it.
 */
export function fillBatch<M extends Fillable>(
  waiting: readonly M[],
  isHeld: (message: M) => boolean,
  limits: FillLimits = {},
): M[] {
  const maxMessages = Math.min(networkLimits.maxBatchMessages, limits.maxMessages ?? Infinity);
  const maxBytes = Math.min(networkLimits.maxBatchDataBytes, limits.maxBytes ?? Infinity);
  const maxSteps = limits.maxSteps ?? Infinity;
  const taken: M[] = [];
  const topics = new Set<string>();
  const passedOver = new Set<string>();
  let [bytes, steps] = [0, 0];
  for (const message of waiting) {
    const contexts = contextNames(message);
    if (isHeld(message) || !isOfSet(message, taken[0]) || contexts.some((context) => passedOver.has(context))) {
      for (const context of contexts) passedOver.add(context);
      continue;
    }
    bytes += message.sizeBytes;
    steps += message.steps;
    for (const topic of message.topics) topics.add(topic);
    const maxTopics = message.group === null ? Infinity : (limits.maxTopics?.(message.group) ?? Infinity);
    const isTooLarge = steps > maxSteps || bytes > maxBytes || topics.size > maxTopics;
    const isFull = isTooLarge || taken.length === maxMessages;
    if (isFull && taken.length > 0) break;
    taken.push(message);
  }
  return taken;
}

function isOfSet(message: Fillable, first: Fillable | undefined): boolean {
  if (first === undefined) return true;
  const isOfOrigin = message.namespace === first.namespace && message.author === first.author;
  return isOfOrigin && message.group === first.group;
}

/** No name contains a slash, so no two contexts share a name. */
function contextNames({ group, topics }: Fillable): readonly string[] {
  return group === null ? topics : topics.map((topic) => `${group}/${topic}`);
}

/**
 * Assigns private messages, in order, the next nonces of their author in each context, and advances `next`, which maps
 * contexts to nonces. A context not in the map begins with 0 (docs/protocol.md §7.2).
 */
export function takeNonces(messages: readonly SealedMessage[], next: Map<string, number>): BatchMessage[] {
  return messages.map((message) => {
    const { topics, group } = message.header;
    if (group === undefined) return message;
    const nonces = topics.map((topic) => {
      const context = groupContext(topic, group);
      const nonce = next.get(context) ?? 0;
      next.set(context, nonce + 1);
      return nonce;
    });
    return { ...message, nonces };
  });
}

/** Builds the payload text of a batch and derives from it everything that is pinned (docs/protocol.md §7.1). */
export function sealBatch(content: BatchContent): SealedBatch {
  const isPrivate = content.messages.some(({ header }) => header.group !== undefined);
  const payload: BatchPayload = {
    version: payloadVersion,
    id: content.id,
    type: isPrivate ? 'private' : 'broadcast',
    namespace: content.namespace,
    node: content.node,
    author: content.author,
    key: content.key,
    tx: { type: 'batch_pin', id: content.transactionId },
    created: content.created,
    messages: content.messages.map(({ header, hash, data, nonces }) => ({
      header,
      hash,
      data: [...data],
      ...(nonces !== undefined && { nonces: [...nonces] }),
    })),
    data: [...content.data],
  };
  const text = write(BatchPayload, payload);
  return { id: content.id, hash: sha256(text), payload: text, contexts: contextsOf(content.messages) };
}
