import type { ClientRequest } from 'node:http';

/** The stream of a body failed, which is not the server's error; `cause` is its own error. */
export class BodyError extends Error {
  constructor(cause: unknown) {
    super('the body of the request cannot be read', { cause });
    this.name = 'BodyError';
  }
}

/**
 * Sends a stream as the body of a request, as fast as the other side accepts it. Stops at a response, since an early
 * one is a refusal, and when the request is destroyed.
 *
 * @throws BodyError
 */
export async function sendStream(request: ClientRequest, stream: AsyncIterable<Uint8Array>): Promise<void> {
  let isAnswered = false;
  request.once('response', () => (isAnswered = true));
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw new BodyError(cause);
      });
      if (isAnswered || request.destroyed) return;
      if (next.done === true) break;
      if (!request.write(next.value)) await drained(request);
    }
  } finally {
    await chunks.return?.();
  }
  request.end();
}

function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      request.off('drain', finish).off('close', finish).off('response', finish);
      resolve();
    };
    request.once('drain', finish).once('close', finish).once('response', finish);
  });
}
