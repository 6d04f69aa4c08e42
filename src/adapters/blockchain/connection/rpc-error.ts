/** The members of a JSON-RPC response that are used; each is checked where it is used. */
export interface RpcAnswer {
  readonly result?: unknown;
  /** Null from servers that write the member without an error. */
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null;
}

/** The server responded with an error. */
export class RpcError extends Error {
  constructor(
    readonly method: string,
    readonly code: number,
    message: string,
    readonly data: unknown,
  ) {
    super(message);
    this.name = 'RpcError';
  }

  static of(method: string, { code, message, data }: NonNullable<RpcAnswer['error']>): RpcError {
    return new RpcError(method, Number(code), String(message), data);
  }
}
