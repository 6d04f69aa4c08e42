/** A connection to a chain. It is never repaired: once it has closed, a new one must be opened. */
export interface Connection {
  /** Calls a JSON-RPC method. Rejects with RpcError, or with ChainError `unreachable` without a response. */
  request(method: string, parameters: readonly unknown[]): Promise<unknown>;

  /**
   * Calls the listener for new heads from now on: for every head or, if the server has no subscriptions, for the newest
   * one at intervals. Resolves with a function that ends this; both reject as `request` does.
   */
  subscribeHeads(listener: (head: unknown) => void): Promise<() => Promise<void>>;

  /** Aborts when the connection has ended, for any reason. */
  readonly closed: AbortSignal;

  close(reason: string): void;
}
