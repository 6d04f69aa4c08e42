import type { MessageType } from '../../wire/messages/message.js';

/** The decision about a message that is the head of its contexts and whose data is here. */
export type Verdict = { readonly state: 'confirmed' } | { readonly state: 'rejected'; readonly reason: string };

/**
 * The facts before a message's pin that its verdict depends on (docs/protocol.md §8.6): the same on every node,
 * whatever arrived when. Each refusal is the full text, code first, of the first condition that is not met.
 */
export interface Facts {
  /** The refusal of a definition at its position (docs/protocol.md §9.1). */
  readonly refusedDefinition?: string | undefined;
  /** For a message of a token operation: the chain has no such event before it (PY1901). */
  readonly missingOperation?: string | undefined;
  /** For a message that names datatypes: the first invalid item (FF10195, FF10198). */
  readonly refusedItem?: string | undefined;
}

/** The facts of a message that depends on nothing before it. */
export const noFacts: Facts = {};

/**
 * Decides on a message at its position in the order (docs/protocol.md §8.6). The verdict depends on the message and on
 * what precedes its pin, never on arrival, clocks or settings, so every node decides the same.
 */
export function decide(message: { readonly type: MessageType }, facts: Facts): Verdict {
  const refusal =
    message.type === 'definition' ? facts.refusedDefinition : (facts.missingOperation ?? facts.refusedItem);
  return refusal === undefined ? { state: 'confirmed' } : { state: 'rejected', reason: refusal };
}
