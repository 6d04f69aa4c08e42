/**
 * Where broadcast payloads lie for every member to read: content under names that follow from the bytes. It keeps no
 * secret, and nobody trusts it: what comes back is compared with the hash that is pinned on the chain.
 */
export interface SharedStore {
  /**
   * Stores the bytes and resolves with the content's name once they are durable there. Idempotent: the same bytes have
   * the same name and are kept once, however often and by whomever they are put.
   *
   * Rejects with `StoreError`: `later` or `unreachable`.
   */
  put(bytes: Uint8Array): Promise<string>;

  /**
   * Resolves with the bytes of that name: the same for ever, or none. The caller verifies them. The reference may come
   * from anybody; one that cannot be a name of this store is `not_found`. An aborted signal rejects with its reason.
   *
   * Rejects with `StoreError`: any reason.
   */
  get(reference: string, options: GetOptions): Promise<Uint8Array>;

  /** `put` for what is too large for memory. Read once; after a failure the caller begins anew. */
  putStream(bytes: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string>;

  /** `get` for what is too large for memory: its bytes from `start`. Rejects as `get` does, also midway. */
  getStream(reference: string, options: GetStreamOptions): AsyncIterable<Uint8Array>;
}

export interface GetStreamOptions extends GetOptions {
  readonly start: number;
}

export interface GetOptions {
  /** More bytes than these are `too_large`, and reading ends there. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

/**
 * `not_found`: the store has no such content now; somebody may bring it. `later`: it is there but has not answered this
 * request well or in time; this request alone waits. `unreachable`: nobody answers; all requests wait. `too_large`:
 * final.
 */
export type StoreReason = 'not_found' | 'later' | 'unreachable' | 'too_large';

/** The shared store did not do what was asked. */
export class StoreError extends Error {
  readonly reason: StoreReason;

  constructor(reason: StoreReason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StoreError';
    this.reason = reason;
  }
}
