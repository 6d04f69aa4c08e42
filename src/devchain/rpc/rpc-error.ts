import { shortened } from '../../wire/errors/sentence.js';

/** Error codes of JSON-RPC 2.0, and of Ethereum nodes where those define one. */
export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  limitExceeded: -32005,
  reverted: 3,
} as const;

/** Limit, since messages may contain revert reasons and callers' input. */
const maxMessageCharacters = 2_000;

/** An error response to one call; the caller sees exactly these three fields. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(shortened(message, maxMessageCharacters));
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** The `error` member of a response, as JSON text. */
export function errorText(error: RpcError): string {
  const { code, message, data } = error;
  return `"error":${JSON.stringify({ code, message, ...(data === undefined || data === null ? {} : { data }) })}`;
}
