import { sha256 } from './hash.js';

/**
 * The pin of a topic in a broadcast, which is also its context: the hash of the topic, in all namespaces the same (S
 * §5).
 */
export function topicPin(topic: string): string {
  return sha256(topic);
}

/** The contexts of a batch: over its messages in order, over their topics in order (S §7.3). */
export function contextsOf(messages: readonly { readonly header: { readonly topics: readonly string[] } }[]): string[] {
  return messages.flatMap((message) => message.header.topics.map(topicPin));
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
