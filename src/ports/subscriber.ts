import type { EventRow } from './tables.js';

/** What is handed over at once: one event or, in batch mode, several (S §11.3). */
export interface Handover {
  /** What an acknowledgement refers to: the id of the event, or of the batch. */
  readonly id: string;
  /** In order of sequence, at least one. */
  readonly events: readonly EventRow[];
  /** One JSON text, as a socket sends it. */
  text(): string;
  /** The text of each event, as it is in `text()`. */
  texts(): readonly string[];
}

/** The other end of `deliver`: a socket, a webhook or a simulated consumer. */
export interface Subscriber {
  /**
   * Hands over. Resolves when the other end can take the next one, or is gone; undefined when it can at once. A slow
   * consumer is waited for, not buffered without bound. Whoever sees that it is gone closes the attachment.
   */
  deliver(handover: Handover): Promise<void> | undefined;

  /**
   * The subscription does not exist any more, or not for this transport. Nothing is handed over after it. It waits for
   * no handover in progress, and may come before `attach` has resolved.
   */
  end(): void;
}
