import { ServiceError } from '../wire/error.js';
import type { MessageType } from '../wire/message.js';

/** What is decided about a message whose turn it is and whose bytes are here. */
export type Verdict = { readonly state: 'confirmed' } | { readonly state: 'rejected'; readonly reason: string };

/**
 * The verdict on a message at its place in the order (S §8.7). It depends on the message and on what stands before its
 * pin, never on arrival, clocks or settings, so every node decides the same.
 */
export function decide(message: { readonly type: MessageType; readonly tag: string | null }): Verdict {
  // No definition tag is known yet, and an unknown one is never confirmed (S §8.8, "other").
  if (message.type === 'definition') {
    return { state: 'rejected', reason: new ServiceError('unknown_definition', { tag: message.tag ?? '' }).message };
  }
  return { state: 'confirmed' };
}
