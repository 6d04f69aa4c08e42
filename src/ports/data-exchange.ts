/** Another node, as registered on the chain. */
export interface Peer {
  /**
   * SHA-256 of the public key in its certificate. This is the peer's identity; names in the certificate are ignored.
   */
  readonly publicKeyHash: string;
  /** The address at which it listens, `https://host:port`. */
  readonly endpoint: string;
}

/**
 * A receiver's answer. `stored`: on its disk. `later`: it cannot judge yet or has no room; send the same again after a
 * while. `refused`: final, with the reason.
 */
export type PeerAnswer =
  | { readonly status: 'stored' }
  | { readonly status: 'later'; readonly reason: string }
  | { readonly status: 'refused'; readonly reason: string };

/** The offer of a blob, with the hash of the batch or unpinned message that needs it (docs/protocol.md §11.4). */
export interface BlobOffer {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly source: string;
}

/** The receiving end of the exchange. A sender is identified by its public-key hash. */
export interface PeerReceiver {
  /** Resolves when the envelope is on disk or was not accepted. */
  receiveEnvelope(sender: string, envelope: string): Promise<PeerAnswer>;

  /**
   * Resolves with the number of bytes of an offered blob that are here already, where the sender continues, or with the
   * reason why none is wanted.
   */
  offerBlob(
    sender: string,
    offer: BlobOffer,
  ): Promise<PeerAnswer | { readonly status: 'wanted'; readonly start: number }>;

  /**
   * Receives the bytes of a blob from `start`. Resolves when the whole blob is on disk and has its hash; rejects if the
   * bytes end early, and keeps what arrived for the next attempt.
   */
  receiveBlob(sender: string, offer: BlobOffer, start: number, bytes: AsyncIterable<Uint8Array>): Promise<PeerAnswer>;

  /**
   * Receives the request for a private batch of this node, by its hash. Resolves with `stored` when it is on disk that
   * the batch is sent to this peer again, with its files.
   */
  receiveRequest(sender: string, hash: string): Promise<PeerAnswer>;
}

/** The peer could not be reached, or is not the one in the registry; try again later. */
export class PeerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PeerError';
  }
}

/**
 * The private channel between nodes (docs/protocol.md §11). A peer is identified by the hash of its registered public
 * key, which both sides check before anything is read, never by a name (docs/architecture.md §12.2). Delivery is at
 * least once.
 */
export interface DataExchange {
  /**
   * Sends an envelope. Resolves with the receiver's answer, given after the envelope is on its disk. Rejects with
   * PeerError if the peer cannot be reached or proves another key, or with the signal's reason.
   */
  send(peer: Peer, envelope: string, signal?: AbortSignal): Promise<PeerAnswer>;

  /**
   * Offers a blob and sends the bytes that the receiver lacks; `read` returns the bytes from a position. Resolves and
   * rejects like `send`. A repeated transfer continues where the interrupted one stopped.
   */
  sendBlob(
    peer: Peer,
    offer: BlobOffer,
    read: (start: number) => AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<PeerAnswer>;

  /**
   * Requests a private batch of the peer, by its hash, once more (docs/protocol.md §11.6). Resolves and rejects like
   * `send`; the answer is `later` from a peer whose version does not know such requests.
   */
  request(peer: Peer, hash: string, signal?: AbortSignal): Promise<PeerAnswer>;

  /** Starts to receive from peers. One receiver at a time. */
  listen(receiver: PeerReceiver): Promise<void>;

  /**
   * Replaces the set of public-key hashes that may connect; initially empty. A peer that is removed is disconnected at
   * once (docs/architecture.md §12.2).
   */
  admit(publicKeyHashes: ReadonlySet<string>): void;

  /** Closes all connections and receives nothing more. */
  close(): Promise<void>;
}
