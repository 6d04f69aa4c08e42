import { type ChainPin, inChainOrder } from './chain-log.js';
import { type MessageFacts, type PayloadFacts, sha256 } from './facts.js';
import type { PartyRecord, Recording } from './recording.js';

/** The order that chain and payloads give, which every node has to follow. */
export interface ChainOrder {
  /** Place of a message in a topic, by `placeKey`. */
  readonly places: ReadonlyMap<string, number>;
  /** Messages by `messageKey` with the batch that pinned each first. */
  readonly batches: ReadonlyMap<string, string>;
  /** Contexts with a pin whose payload nobody has shown: what comes after it there is not known. */
  readonly unknownContexts: ReadonlySet<string>;
}

export function messageKey(message: { readonly id: string; readonly hash: string }): string {
  return `${message.id}/${message.hash}`;
}

/** Key of a place: messages of other namespaces have places too, but no subscription of ours sees them. */
export function placeKey(namespace: string, topic: string, key: string): string {
  return `${namespace} ${topic} ${key}`;
}

/**
 * Works out the order from the pins: chain order without repeats, without batches that are not what was pinned, and
 * without messages that an earlier batch has pinned already.
 */
export function chainOrder({ pins, payloads }: Pick<Recording, 'pins' | 'payloads'>): ChainOrder {
  const counts = new Map<string, number>();
  const places = new Map<string, number>();
  const batches = new Map<string, string>();
  const unknownContexts = new Set<string>();
  const seen = new Set<string>();
  for (const pin of inChainOrder(pins)) {
    const batchKey = `${pin.batchId}/${pin.batchHash}/${pin.signer}`;
    if (seen.has(batchKey)) continue;
    seen.add(batchKey);
    const payload = payloads.get(pin.payloadRef);
    if (payload === undefined || payload.hash !== pin.batchHash) {
      for (const context of pin.contexts) unknownContexts.add(context);
      continue;
    }
    if (!isPinned(payload, pin)) continue;
    for (const message of payload.messages) {
      const key = messageKey(message);
      if (batches.has(key)) continue;
      batches.set(key, pin.batchId);
      for (const topic of message.topics) {
        const line = `${message.namespace} ${topic}`;
        const place = counts.get(line) ?? 0;
        counts.set(line, place + 1);
        places.set(placeKey(message.namespace, topic, key), place);
      }
    }
  }
  return { places, batches, unknownContexts };
}

function isPinned(payload: PayloadFacts, pin: ChainPin): boolean {
  return (
    payload.id === pin.batchId &&
    payload.key === pin.signer &&
    payload.contexts.join() === pin.contexts.join() &&
    payload.messages.every((message) => message.damage.length === 0)
  );
}

export interface Decision {
  readonly key: string;
  readonly message: MessageFacts;
}

/** The decisions of a party per topic, in the order of its events, each once. */
export function decisionsByTopic(party: PartyRecord): Map<string, Decision[]> {
  const byTopic = new Map<string, Decision[]>();
  const known = new Set<string>();
  for (const event of party.connections.flat()) {
    const { message } = event;
    if (message === undefined || known.has(event.id)) continue;
    known.add(event.id);
    for (const topic of message.topics) {
      const line = `${message.namespace} ${topic}`;
      const list = byTopic.get(line) ?? [];
      list.push({ key: messageKey(message), message });
      byTopic.set(line, list);
    }
  }
  return byTopic;
}

export function isUnknown(order: ChainOrder, topic: string): boolean {
  return order.unknownContexts.has(sha256(topic));
}
