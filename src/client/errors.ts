interface Refusal {
  readonly status: number;
  readonly code?: string | undefined;
  readonly text: string;
  readonly body: string;
  readonly request?: string | undefined;
}

/** A node answered, and the answer is a refusal or a failure. */
export class ClientError extends Error {
  readonly status: number;
  /** The node's number, such as `FF10109`; undefined when the body has not the shape of a node's error. */
  readonly code: string | undefined;
  /** The sentence without the code. */
  readonly text: string;
  /** The body as served. */
  readonly body: string;
  /** Method and path of the request, such as `GET /api/v1/status`; undefined when the caller knows them alone. */
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

/** No node answered: nobody listens there, the connection broke, or the answer did not come in time. */
export class UnreachableError extends Error {
  readonly url: string;
  /** Method and path of the request. */
  readonly request: string;
  /** Nobody listens at the address, so nothing that was sent can have been taken in. */
  readonly isRefused: boolean;

  constructor(url: string, cause: unknown, method = 'GET') {
    const inner = innermost(cause);
    super(`No answer from ${url}: ${inner.message}`, { cause });
    this.name = 'UnreachableError';
    this.url = url;
    this.request = requestLine(method, url);
    this.isRefused = 'code' in inner && inner.code === 'ECONNREFUSED';
  }
}

/** Method and path of a request, as a person reads them. */
export function requestLine(method: string, url: string): string {
  return `${method} ${url.replace(/^[a-z]+:\/\/[^/]*/, '')}`;
}

/** `fetch` says only "fetch failed"; what happened is at the end of the chain of causes. */
function innermost(error: unknown): Error {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? inner : new Error(String(inner));
}
