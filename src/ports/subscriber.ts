/** The other end of `deliver`: a socket or a simulated consumer. */
export interface Subscriber {
  /**
   * Hands over one frame. Resolves when the other end can take the next one, or is gone; a slow consumer is waited for,
   * not buffered without bound. Whoever sees that it is gone ends the subscription.
   */
  send(frame: string): Promise<void>;

  /** Ends the connection, with a last frame if there is something to say. */
  close(frame?: string): void;
}
