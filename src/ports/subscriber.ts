import type { EventRow } from './tables/tables.js';

/** A delivery: one event or, in batch mode, several (docs/api.md §15.3). */
export interface Handover {
  /** The id to acknowledge: that of the event or of the batch. */
  readonly id: string;
  /** In order of sequence, at least one. */
  readonly events: readonly EventRow[];
  /** One JSON text, as a socket sends it. */
  text(): string;
  /** The text of each event, as it is in `text()`. */
  texts(): readonly string[];
}

/** The receiver of `deliver`: a socket, a webhook or a simulated consumer. */
export interface Subscriber {
  /**
   * Delivers events. Resolves when the receiver can take the next delivery or is gone; returns undefined if it can at
   * once. A slow consumer is waited for, not buffered without bound. Whoever detects that the receiver is gone closes
   * the attachment.
   */
  deliver(handover: Handover): Promise<void> | undefined;

  /**
   * Called when the subscription no longer exists, or not for this transport. Nothing is delivered afterwards. It does
   * not wait for a delivery in progress, and may be called before `attach` has resolved.
   */
  end(): void;
}
