import { contextOf } from './oracle.js';

/** A private message of a batch. */
export interface Numbered {
  readonly author: string;
  readonly topics: readonly string[];
  readonly group: string | undefined;
  readonly nonces: readonly number[] | undefined;
}

/** The nonces that members have pinned, derived only from the order of pins (docs/protocol.md §8.3). */
export interface NonceOracle {
  /** Takes the nonces of the next private batch; returns whether it is void because of them. */
  take(messages: readonly Numbered[]): boolean;
}

export function createNonceOracle(): NonceOracle {
  const pinned = new Set<string>();

  return {
    take(messages) {
      let isVoid = false;
      const own = new Set<string>();
      for (const { author, topics, group, nonces = [] } of messages) {
        for (const [index, topic] of topics.entries()) {
          const name = (nonce: number): string => `${author} ${contextOf(topic, group)} ${nonce}`;
          const nonce = nonces[index] ?? 0;
          const isWhole = Array.from({ length: nonce }, (_, lower) => name(lower)).every(
            (lower) => pinned.has(lower) || own.has(lower),
          );
          if (pinned.has(name(nonce)) || own.has(name(nonce)) || !isWhole) isVoid = true;
          own.add(name(nonce));
        }
      }
      for (const name of own) pinned.add(name);
      return isVoid;
    },
  };
}
