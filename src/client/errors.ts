interface Refusal {
  readonly status: number;
  readonly code?: string | undefined;
  readonly text: string;
  readonly body: string;
  readonly request?: string | undefined;
}

/** A response that is a refusal or a failure. */
export class ClientError extends Error {
  readonly status: number;
  /** The error code, such as `FF10109`; undefined if the body is not in a node's error format. */
  readonly code: string | undefined;
  /** The message without the code. */
  readonly text: string;
  /** The body as served. */
  readonly body: string;
  /** Method and path of the request, such as `GET /api/v1/status`; undefined if only the caller knows them. */
  readonly request: string | undefined;

  constructor(answer: Refusal) {
    super(answer.code === undefined ? answer.text : `${answer.code}: ${answer.text}`);
    this.name = 'ClientError';
    this.status = answer.status;
    this.code = answer.code;
    this.text = answer.text;
    this.body = answer.body;
    this.request = answer.request;
  }
}

/** No response: nothing listens there, the connection failed, or the response timed out. */
export class UnreachableError extends Error {
  readonly url: string;
  /** Method and path of the request. */
  readonly request: string;
  /** Whether the connection was refused, so that nothing can have been accepted. */
  readonly isRefused: boolean;
  /** The code of the system or of TLS, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly code: string | undefined;

  constructor(url: string, cause: unknown, method = 'GET') {
    const inner = innermost(cause);
    super(`No answer from ${url}: ${inner.message}`, { cause });
    this.name = 'UnreachableError';
    this.url = url;
    this.request = requestLine(method, url);
    this.code = 'code' in inner ? String(inner.code) : undefined;
    this.isRefused = this.code === 'ECONNREFUSED';
  }
}

/** Whether a repeated request may succeed: the node is starting, or does not have the record yet. */
export function isTransient(error: unknown): boolean {
  return error instanceof UnreachableError || (error instanceof ClientError && [404, 503].includes(error.status));
}

/**
 * The id that a refused idempotency key belongs to: of a message with FF10430, of a transaction with FF10431.
 * Undefined for every other error.
 */
export function keyOwnerOf(error: unknown, codes: readonly ('FF10430' | 'FF10431')[]): string | undefined {
  if (!(error instanceof ClientError) || !codes.some((code) => code === error.code)) return undefined;
  // The id follows the key, which may itself be a UUID.
  return error.text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)?.at(-1);
}

/** Method and path of a request, for messages. */
export function requestLine(method: string, url: string): string {
  return `${method} ${url.replace(/^[a-z]+:\/\/[^/]*/, '')}`;
}

/** The innermost cause, since the message of `fetch` is only "fetch failed". */
function innermost(error: unknown): Error {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? inner : new Error(String(inner));
}
