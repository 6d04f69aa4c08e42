import type { MessageType } from '../wire/message.js';

/** What is decided about a message whose turn it is and whose bytes are here. */
export type Verdict = { readonly state: 'confirmed' } | { readonly state: 'rejected'; readonly reason: string };

/**
 * What stands before the pin of a message, as far as its verdict depends on it (S §8.7): the same on every node,
 * whatever arrived when. Refusals are the whole text, code first, of the first condition that is not met.
 */
export interface Facts {
  /** Of a definition: why it is refused at its place (S §8.8). */
  readonly refusedDefinition?: string | undefined;
  /** Of a message of a token operation: that the chain has no such event before it (PY1901). */
  readonly missingOperation?: string | undefined;
  /** Of a message that names datatypes: the first item that does not hold (FF10195, FF10198). */
  readonly refusedItem?: string | undefined;
}

/** Of a message that depends on nothing before it. */
export const noFacts: Facts = {};

/**
 * The verdict on a message at its place in the order (S §8.7). It depends on the message and on what stands before its
 * pin, never on arrival, clocks or settings, so every node decides the same.
 */
export function decide(message: { readonly type: MessageType }, facts: Facts): Verdict {
  const refusal =
    message.type === 'definition' ? facts.refusedDefinition : (facts.missingOperation ?? facts.refusedItem);
  return refusal === undefined ? { state: 'confirmed' } : { state: 'rejected', reason: refusal };
}
