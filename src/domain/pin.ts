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
