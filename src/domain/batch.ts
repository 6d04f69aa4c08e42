import { BatchPayload, type PayloadData, payloadVersion } from '../wire/batch.js';
import { write } from '../wire/json.js';
import { sha256 } from './hash.js';
import { networkLimits } from './limits.js';
import type { SealedMessage } from './message.js';
import { contextsOf } from './pin.js';

/** What the filling of a batch reads of a message. */
export interface Fillable {
  readonly namespace: string;
  readonly author: string;
  readonly topics: readonly string[];
  readonly sizeBytes: number;
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
  readonly messages: readonly SealedMessage[];
  /** Every item that a message refers to, once. */
  readonly data: readonly PayloadData[];
}

/**
 * Which of the waiting messages of a key, in order of acceptance, go into the next batch (S §8.2, 3): the oldest opens
 * it, and all later ones of its set follow while they fit. None is taken past one left behind that shares a topic with
 * it.
 */
export function fillBatch<M extends Fillable>(waiting: readonly M[]): M[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const taken: M[] = [];
  const leftTopics = new Set<string>();
  let bytes = 0;
  for (const message of waiting) {
    const isOfSet = message.namespace === first.namespace && message.author === first.author;
    if (!isOfSet || message.topics.some((topic) => leftTopics.has(topic))) {
      for (const topic of message.topics) leftTopics.add(topic);
      continue;
    }
    bytes += message.sizeBytes;
    if (taken.length === networkLimits.maxBatchMessages || bytes > networkLimits.maxBatchDataBytes) break;
    taken.push(message);
  }
  return taken;
}

/** Builds the one text of a batch, and from it everything that is pinned (S §7.2). */
export function sealBatch(content: BatchContent): SealedBatch {
  const payload: BatchPayload = {
    version: payloadVersion,
    id: content.id,
    type: 'broadcast',
    namespace: content.namespace,
    node: content.node,
    author: content.author,
    key: content.key,
    tx: { type: 'batch_pin', id: content.transactionId },
    created: content.created,
    messages: content.messages.map(({ header, hash, data }) => ({ header, hash, data: [...data] })),
    data: [...content.data],
  };
  const text = write(BatchPayload, payload);
  return { id: content.id, hash: sha256(text), payload: text, contexts: contextsOf(content.messages) };
}
