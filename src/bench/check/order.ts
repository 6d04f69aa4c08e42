import { type ChainPin, inChainOrder } from './chain-log.js';
import { type MessageFacts, type PayloadFacts, sha256 } from './facts/facts.js';
import { createMaskedLog } from './masked-log.js';
import type { PartyRecord, Recording } from './recording.js';

/** The order determined by chain and payloads, which every node must follow. */
export interface ChainOrder {
  /** Position of a message in a topic, by `placeKey`. */
  readonly places: ReadonlyMap<string, number>;
  /** The batch that first pinned each message, by `messageKey`. */
  readonly batches: ReadonlyMap<string, string>;
  /** Contexts with a pin whose payload is unknown; positions after it are unknown there. */
  readonly unknownContexts: ReadonlySet<string>;
  /** Private messages whose masked pins on the chain are wrong. */
  readonly maskedFaults: readonly string[];
}

export function messageKey(message: { readonly id: string; readonly hash: string }): string {
  return `${message.id}/${message.hash}`;
}

/** The sequence that a message belongs to: a topic of a namespace, or of a group in it. */
export function lineOf({ namespace, group }: Pick<MessageFacts, 'namespace' | 'group'>, topic: string): string {
  return group === undefined ? `${namespace} ${topic}` : `${namespace} ${topic} ${group}`;
}

/** The key of a position. Messages of other namespaces have positions, too, but no subscription here sees them. */
export function placeKey(line: string, key: string): string {
  return `${line} ${key}`;
}

/**
 * Derives the order from the pins: chain order without repeats, without batches that do not match their pin, and
 * without messages that an earlier batch has pinned. The content of a private batch is known from its members' records;
 * each masked pin must be that of its author's next nonce.
 */
export function chainOrder({ pins, payloads, parties }: Pick<Recording, 'pins' | 'payloads' | 'parties'>): ChainOrder {
  const counts = new Map<string, number>();
  const places = new Map<string, number>();
  const batches = new Map<string, string>();
  const unknownContexts = new Set<string>();
  const seen = new Set<string>();
  const masked = createMaskedLog(parties);

  function place(line: string, key: string): void {
    const next = counts.get(line) ?? 0;
    counts.set(line, next + 1);
    places.set(placeKey(line, key), next);
  }

  for (const pin of inChainOrder(pins)) {
    const batchKey = `${pin.batchId}/${pin.batchHash}/${pin.signer}`;
    if (seen.has(batchKey)) continue;
    seen.add(batchKey);
    const payload = payloads.get(pin.payloadRef);
    if (pin.payloadRef === '') {
      for (const { message, topic } of masked.take(pin)) {
        const key = messageKey(message);
        if (!batches.has(key)) batches.set(key, pin.batchId);
        if (batches.get(key) === pin.batchId) place(lineOf(message, topic), key);
      }
    } else if (payload === undefined || payload.hash !== pin.batchHash) {
      for (const context of pin.contexts) unknownContexts.add(context);
    } else if (isPinned(payload, pin)) {
      for (const message of payload.messages) {
        const key = messageKey(message);
        if (batches.has(key)) continue;
        batches.set(key, pin.batchId);
        for (const topic of message.topics) place(lineOf(message, topic), key);
      }
    }
  }
  return { places, batches, unknownContexts, maskedFaults: masked.faults };
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
  readonly topic: string;
  readonly message: MessageFacts;
}

/** A party's decisions per sequence, in the order of its events, each once; without messages that have no order. */
export function decisionsByTopic(party: PartyRecord): Map<string, Decision[]> {
  const byTopic = new Map<string, Decision[]>();
  const known = new Set<string>();
  for (const event of party.connections.flat()) {
    const { message } = event;
    if (message === undefined || message.txtype !== 'batch_pin' || known.has(event.id)) continue;
    known.add(event.id);
    for (const topic of message.topics) {
      const line = lineOf(message, topic);
      const list = byTopic.get(line) ?? [];
      list.push({ key: messageKey(message), topic, message });
      byTopic.set(line, list);
    }
  }
  return byTopic;
}

/** Whether a message's position in a topic may be unknown. */
export function isUnknown(order: ChainOrder, { group }: MessageFacts, topic: string): boolean {
  return group === undefined && order.unknownContexts.has(sha256(topic));
}
