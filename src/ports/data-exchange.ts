/** What a receiver says to an envelope. `later` = not yet able to judge; `refused` = never, with the reason. */
export type EnvelopeAnswer =
  | { readonly status: 'stored' }
  | { readonly status: 'later' }
  | { readonly status: 'refused'; readonly reason: string };

/** Takes an envelope of a peer, known by its public-key hash; resolves when the envelope is on disk, or refused. */
export type EnvelopeReceiver = (peer: string, envelope: string) => Promise<EnvelopeAnswer>;

/**
 * The private way between nodes. A peer *is* the hash of its public key as the registry has it, never a name
 * (assurance S5). Delivery is at least once.
 */
export interface DataExchange {
  /**
   * Resolves with the receiver's answer, given after the envelope is on its disk. Rejects when the peer cannot be
   * reached.
   */
  send(peer: string, envelope: string): Promise<EnvelopeAnswer>;

  /** Starts to take envelopes. One receiver at a time. */
  listen(receiver: EnvelopeReceiver): Promise<void>;

  /** Ends connections and takes no more envelopes. */
  close(): Promise<void>;
}
