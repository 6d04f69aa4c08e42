import { sha256 } from './hash.js';

/**
 * The pin of a topic in a broadcast, which is also its context: the hash of the topic, in all namespaces the same (S
 * §5).
 */
export function topicPin(topic: string): string {
  return sha256(topic);
}

/** What the pins of a message follow from. */
export interface Pinnable {
  readonly header: {
    readonly topics: readonly string[];
    readonly author: string;
    readonly group?: string | undefined;
  };
  /** Of a private message, one a topic. */
  readonly nonces?: readonly number[] | undefined;
}

/**
 * The pins of a message, one a topic: the topic's own, or, within a group, the masked ones of the author's nonces (S
 * §5). A topic without a nonce has no masked pin.
 */
export function pinsOf({ header, nonces = [] }: Pinnable): string[] {
  const { topics, group, author } = header;
  if (group === undefined) return topics.map(topicPin);
  return topics.flatMap((topic, index) => {
    const nonce = nonces[index];
    return nonce === undefined ? [] : [maskedPin(topic, group, author, nonce)];
  });
}

/** What a batch writes to the chain: over its messages in order, over their topics in order (S §7.3). */
export function contextsOf(messages: readonly Pinnable[]): string[] {
  return messages.flatMap(pinsOf);
}

/** The context of a topic within a group; it never leaves the node (S §5). */
export function groupContext(topic: string, group: string): string {
  return sha256(Buffer.concat([Buffer.from(topic), Buffer.from(group, 'hex')]));
}

/** The masked pin of a private message: topic, group, author's DID and the author's nonce there (S §5). */
export function maskedPin(topic: string, group: string, author: string, nonce: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(nonce));
  return sha256(Buffer.concat([Buffer.from(topic), Buffer.from(group, 'hex'), Buffer.from(author), counter]));
}
