import { sha256 } from '../hash.js';

/**
 * The pin of a topic in a broadcast, which is also its context: the hash of the topic, the same in all namespaces
 * (docs/protocol.md §3.1).
 */
export function topicPin(topic: string): string {
  return sha256(topic);
}

/** The fields of a message that its pins are derived from. */
export interface Pinnable {
  readonly header: {
    readonly topics: readonly string[];
    readonly author: string;
    readonly group?: string | undefined;
  };
  /** One per topic, for a private message. */
  readonly nonces?: readonly number[] | undefined;
}

/**
 * The pins of a message, one per topic: the topic's own, or, within a group, the masked pins of the author's nonces
 * (docs/protocol.md §3.1). A topic without a nonce has no masked pin.
 */
export function pinsOf({ header, nonces = [] }: Pinnable): string[] {
  const { topics, group, author } = header;
  if (group === undefined) return topics.map(topicPin);
  return topics.flatMap((topic, index) => {
    const nonce = nonces[index];
    return nonce === undefined ? [] : [maskedPin(topic, group, author, nonce)];
  });
}

/**
 * The contexts that a batch writes to the chain: for its messages in order, for their topics in order
 * (docs/protocol.md §7.4).
 */
export function contextsOf(messages: readonly Pinnable[]): string[] {
  return messages.flatMap(pinsOf);
}

/** The context of a topic within a group; it never leaves the node (docs/protocol.md §3.1). */
export function groupContext(topic: string, group: string): string {
  return sha256(Buffer.concat([Buffer.from(topic), Buffer.from(group, 'hex')]));
}

/**
 * The masked pin of a private message: a hash over topic, group, the author's DID and nonce (docs/protocol.md §3.1).
 */
export function maskedPin(topic: string, group: string, author: string, nonce: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(nonce));
  return sha256(Buffer.concat([Buffer.from(topic), Buffer.from(group, 'hex'), Buffer.from(author), counter]));
}
