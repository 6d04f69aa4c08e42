/** The members of a JSON-RPC response that are used; each is checked where it is used. */
export interface RpcAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  /** Null from servers that write the member without an error. */
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } | null;
}

/** Whether a response has a result or an error, and answers the request with this id. An error may have no id. */
export function isAnswerTo({ id, result, error }: RpcAnswer, asked: number): boolean {
  const hasError = typeof error === 'object' && error !== null;
  return (hasError || result !== undefined) && (id === asked || (hasError && (id ?? null) === null));
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
