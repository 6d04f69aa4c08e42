import { type ChainPin, inChainOrder } from './chain-log.js';
import { type MessageFacts, type PayloadFacts, sha256 } from './facts/facts.js';
import { createMaskedLog } from './masked-log.js';
import type { PartyRecord, Recording } from './recording.js';

/** The order of messages by chain and payloads, which every node must follow. */
export interface ChainOrder {
  /** The position of a message in a context, by `positionKey`. */
  readonly positions: ReadonlyMap<string, number>;
  /** The batch that first pinned each message, by `messageKey`. */
  readonly batches: ReadonlyMap<string, string>;
  /** Contexts with a pin whose payload is unknown, so that positions are unknown, too. */
  readonly unknownContexts: ReadonlySet<string>;
  /** Private messages whose masked pins on the chain are wrong. */
  readonly maskedFaults: readonly string[];
}

export function messageKey(message: { readonly id: string; readonly hash: string }): string {
  return `${message.id}/${message.hash}`;
}

/** The key of a context: a topic of a namespace, or of a group in it. */
export function contextKey({ namespace, group }: Pick<MessageFacts, 'namespace' | 'group'>, topic: string): string {
  return group === undefined ? `${namespace} ${topic}` : `${namespace} ${topic} ${group}`;
}

/** The key of a message's position in a context. */
export function positionKey(context: string, message: string): string {
  return `${context} ${message}`;
}

/**
 * Derives the order from the pins: chain order without repeats, without batches that do not match their pin, and
 * without messages that an earlier batch has pinned. The content of a private batch comes from its members' records;
 * each masked pin must have its author's next nonce.
 */
export function chainOrder({ pins, payloads, parties }: Pick<Recording, 'pins' | 'payloads' | 'parties'>): ChainOrder {
  const counts = new Map<string, number>();
  const positions = new Map<string, number>();
  const batches = new Map<string, string>();
  const unknownContexts = new Set<string>();
  const seen = new Set<string>();
  const masked = createMaskedLog(parties);

  function append(context: string, message: string): void {
    const next = counts.get(context) ?? 0;
    counts.set(context, next + 1);
    positions.set(positionKey(context, message), next);
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
        if (batches.get(key) === pin.batchId) append(contextKey(message, topic), key);
      }
    } else if (payload === undefined || payload.hash !== pin.batchHash) {
      for (const context of pin.contexts) unknownContexts.add(context);
    } else if (isPinned(payload, pin)) {
      for (const message of payload.messages) {
        const key = messageKey(message);
        if (batches.has(key)) continue;
        batches.set(key, pin.batchId);
        for (const topic of message.topics) append(contextKey(message, topic), key);
      }
    }
  }
  return { positions, batches, unknownContexts, maskedFaults: masked.faults };
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

/** A party's decisions by context, each once, in the order of its events. Unpinned messages have no order. */
export function decisionsByContext(party: PartyRecord): Map<string, Decision[]> {
  const byContext = new Map<string, Decision[]>();
  const known = new Set<string>();
  for (const event of party.connections.flat()) {
    const { message } = event;
    if (message === undefined || message.txtype !== 'batch_pin' || known.has(event.id)) continue;
    known.add(event.id);
    for (const topic of message.topics) {
      const context = contextKey(message, topic);
      const list = byContext.get(context) ?? [];
      list.push({ key: messageKey(message), topic, message });
      byContext.set(context, list);
    }
  }
  return byContext;
}

/** Whether a message's position in a topic may be unknown. */
export function hasUnknownPosition(order: ChainOrder, { group }: MessageFacts, topic: string): boolean {
  return group === undefined && order.unknownContexts.has(sha256(topic));
}
