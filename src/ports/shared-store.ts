/**
 * The store of broadcast payloads, readable by every member: content under names derived from the bytes. It is neither
 * secret nor trusted: content is verified against the hash that is pinned on the chain.
 */
export interface SharedStore {
  /**
   * Stores bytes and resolves with the content's name once they are durable. Idempotent: the same bytes have the same
   * name and are stored once, no matter how often and by whom they are put.
   *
   * Rejects with `StoreError`: `later` or `unreachable`.
   */
  put(bytes: Uint8Array): Promise<string>;

  /**
   * Resolves with the bytes of that name, which never change. The caller verifies them. The reference is untrusted; one
   * that cannot be a name of this store is `not_found`. An aborted signal rejects with its reason.
   *
   * Rejects with `StoreError`: any reason.
   */
  get(reference: string, options: GetOptions): Promise<Uint8Array>;

  /** `put` for content too large for memory. The bytes are read once; after a failure the caller starts over. */
  putStream(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string>;

  /** `get` for content too large for memory, from byte `start`. Rejects as `get` does, possibly midway. */
  getStream(reference: string, options: GetStreamOptions): AsyncIterable<Uint8Array>;
}

export interface GetStreamOptions extends GetOptions {
  readonly start: number;
}

export interface GetOptions {
  /** Limit of the content; reading stops beyond it with `too_large`. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * `not_found`: the store does not have the content now; it may be added later. `later`: it has the content but did not
 * respond properly or in time; only this request waits. `unreachable`: no response; all requests wait. `too_large`:
 * final.
 */
export type StoreReason = 'not_found' | 'later' | 'unreachable' | 'too_large';

/** A request to the shared store failed. */
export class StoreError extends Error {
  readonly reason: StoreReason;

  constructor(reason: StoreReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StoreError';
    this.reason = reason;
  }
}
