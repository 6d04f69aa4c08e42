/** A node answered, and the answer is a refusal or a failure. */
export class ClientError extends Error {
  readonly status: number;
  /** The node's number, such as `FF10109`; undefined when the body has not the shape of a node's error. */
  readonly code: string | undefined;
  /** The sentence without the code. */
  readonly text: string;
  /** The body as served. */
  readonly body: string;

  constructor(answer: { readonly status: number; readonly code?: string | undefined; text: string; body: string }) {
    super(answer.code === undefined ? answer.text : `${answer.code}: ${answer.text}`);
    this.name = 'ClientError';
    this.status = answer.status;
    this.code = answer.code;
    this.text = answer.text;
    this.body = answer.body;
  }
}

/** No node answered: nobody listens there, the connection broke, or the answer did not come in time. */
export class UnreachableError extends Error {
  readonly url: string;
  /** Nobody listens at the address, so nothing that was sent can have been taken in. */
  readonly isRefused: boolean;

  constructor(url: string, cause: unknown) {
    const inner = innermost(cause);
    super(`No answer from ${url}: ${inner.message}`, { cause });
    this.name = 'UnreachableError';
    this.url = url;
    this.isRefused = 'code' in inner && inner.code === 'ECONNREFUSED';
  }
}

/** `fetch` says only "fetch failed"; what happened is at the end of the chain of causes. */
function innermost(error: unknown): Error {
  let inner: unknown = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? inner : new Error(String(inner));
}
