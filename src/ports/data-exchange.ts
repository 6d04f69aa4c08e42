/** Another node, as the registry on chain has it. */
export interface Peer {
  /** SHA-256 of the public key in its certificate: this *is* the peer, whatever names the certificate has. */
  readonly publicKeyHash: string;
  /** Where it listens, `https://host:port`. */
  readonly endpoint: string;
}

/**
 * What a receiver says. `stored`: it is on its disk. `later`: it cannot judge yet, or has no room; the same again after
 * a while. `refused`: never, with the reason.
 */
export type PeerAnswer =
  | { readonly status: 'stored' }
  | { readonly status: 'later'; readonly reason: string }
  | { readonly status: 'refused'; readonly reason: string };

/** A blob on offer, and for what: the hash of the batch or unpinned message that needs it (S §9.5). */
export interface BlobOffer {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly source: string;
}

/** What the other end of the exchange does with what peers send. A sender is named by its public-key hash. */
export interface PeerReceiver {
  /** Resolves when the envelope is on disk, or is not taken. */
  receiveEnvelope(sender: string, envelope: string): Promise<PeerAnswer>;

  /** How many bytes of an offered blob are here, so that the sender goes on from there, or why none is wanted. */
  offerBlob(
    sender: string,
    offer: BlobOffer,
  ): Promise<PeerAnswer | { readonly status: 'wanted'; readonly start: number }>;

  /**
   * Takes the bytes of a blob from `start`. Resolves when the whole blob is on disk and has its hash; rejects when the
   * bytes end early, and what came stays for the next attempt.
   */
  receiveBlob(sender: string, offer: BlobOffer, start: number, bytes: AsyncIterable<Uint8Array>): Promise<PeerAnswer>;
}

/** The peer was not reached, or is not who the registry says: it may be tried again. */
export class PeerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PeerError';
  }
}

/**
 * The private way between nodes (S §9). A peer *is* the hash of its public key as the registry has it, checked on both
 * sides before anything is read, never a name (assurance S5). Delivery is at least once.
 */
export interface DataExchange {
  /**
   * Resolves with the receiver's answer, given after the envelope is on its disk. Rejects with PeerError when the peer
   * cannot be reached or proves another key, or with the signal's reason.
   */
  send(peer: Peer, envelope: string, signal?: AbortSignal): Promise<PeerAnswer>;

  /**
   * Offers a blob and sends what the receiver has not; `read` gives the bytes from a position. Resolves and rejects as
   * `send` does. An interrupted transfer goes on where it stopped when it is tried again.
   */
  sendBlob(
    peer: Peer,
    offer: BlobOffer,
    read: (start: number) => AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<PeerAnswer>;

  /** Starts to take what peers send. One receiver at a time. */
  listen(receiver: PeerReceiver): Promise<void>;

  /**
   * Replaces who may connect, by public-key hashes; at first nobody may. Who is not among them any more loses its
   * connections at once (assurance S6).
   */
  admit(publicKeyHashes: ReadonlySet<string>): void;

  /** Ends connections and takes nothing more. */
  close(): Promise<void>;
}
