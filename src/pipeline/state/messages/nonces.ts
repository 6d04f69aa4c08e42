import { groupContext } from '../../../domain/messages/pin.js';
import type { MessageRow } from '../../../ports/tables/tables.js';

export interface NonceRange {
  readonly lowest: number;
  readonly highest: number;
}

/** Returns the lowest and the highest nonce of private messages in each context; broadcasts have none. */
export function noncesOf(messages: readonly MessageRow[]): ReadonlyMap<string, NonceRange> {
  const ranges = new Map<string, NonceRange>();
  for (const { group, topics, nonces } of messages) {
    if (group === null || nonces === null) continue;
    for (const [index, topic] of topics.entries()) {
      const context = groupContext(topic, group);
      const nonce = nonces[index] ?? 0;
      const { lowest, highest } = ranges.get(context) ?? { lowest: nonce, highest: nonce };
      ranges.set(context, { lowest: Math.min(lowest, nonce), highest: Math.max(highest, nonce) });
    }
  }
  return ranges;
}
