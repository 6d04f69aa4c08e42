import { Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { streamBytes } from '../../http/bodies/stream-bytes.js';
import { StoreError } from '../../ports/shared-store.js';

export interface StreamMessage {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

export interface StreamAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Must be read to its end or ended early; either way the connection is released or closed. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Creates HTTP requests for content too large for memory: the body is read as fast as the other side accepts it, the
 * response as fast as its reader does. There is no overall limit, but `idleMs` without a byte in either direction is
 * `later`.
 *
 * The function that it returns, and the bytes of its response, throw StoreError `later` and `unreachable`; a failing
 * body rejects with its own error, and an aborted signal with its reason.
 */
export function createStreamExchange(idleMs: number): (message: StreamMessage) => Promise<StreamAnswer> {
  const agents = { plain: new Agent({ keepAlive: true }), secure: new SecureAgent({ keepAlive: true }) };
  return async ({ url, method, headers, body, signal }) => {
    const isSecure = url.protocol === 'https:';
    const send = isSecure ? requestSecure : requestPlain;
    const request = send(url, { method, headers, agent: isSecure ? agents.secure : agents.plain });
    const fault = watchFaults(request, idleMs, signal);
    try {
      const response = await exchange(request, body);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        bytes: readAnswer(request, response, fault),
      };
    } catch (error) {
      request.destroy();
      fault.end();
      throw fault.of(error);
    }
  };
}

/** Converts the failure of a request to an error of the port. */
interface Fault {
  of(error: unknown): unknown;
  end(): void;
}

function watchFaults(request: ClientRequest, idleMs: number, signal: AbortSignal | undefined): Fault {
  let isIdle = false;
  const onAbort = (): void => void request.destroy();
  request.setTimeout(idleMs, () => {
    isIdle = true;
    request.destroy();
  });
  // A broken connection is handled where it is awaited; later errors are irrelevant.
  request.on('error', () => undefined);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  return {
    of(error) {
      if (signal?.aborted === true) return signal.reason;
      if (isIdle) return new StoreError('later', 'The shared store did not go on in time.');
      if (error instanceof BodyFailed) return error.cause;
      if (error instanceof StoreError) return error;
      return new StoreError('unreachable', 'The shared store cannot be reached.', { cause: error });
    },
    end: () => signal?.removeEventListener('abort', onAbort),
  };
}

/** The source of a body failed, which is not the store's error. */
class BodyFailed extends Error {}

/** Sends the body until it has ended or a response arrives, since an early response is a refusal. */
function exchange(request: ClientRequest, body: AsyncIterable<Uint8Array> | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    request.once('error', reject);
    request.once('close', () => reject(new Error('The connection was closed')));
    request.once('response', (response) => {
      isAnswered = true;
      resolve(response);
    });
    sendBody(request, body, () => isAnswered).catch(reject);
  });
}

async function sendBody(
  request: ClientRequest,
  body: AsyncIterable<Uint8Array> | undefined,
  isAnswered: () => boolean,
): Promise<void> {
  const chunks = body?.[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks?.next().catch((cause: unknown) => {
        throw new BodyFailed('The body failed', { cause });
      });
      if (isAnswered() || request.destroyed) return;
      if (next === undefined || next.done === true) break;
      if (!request.write(next.value)) await drained(request);
    }
  } finally {
    await chunks?.return?.();
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

async function* readAnswer(
  request: ClientRequest,
  response: IncomingMessage,
  fault: Fault,
): AsyncGenerator<Uint8Array> {
  try {
    yield* streamBytes(response);
    if (!response.complete) throw new Error('The answer was cut off');
  } catch (error) {
    throw fault.of(error);
  } finally {
    fault.end();
    // The rest of an incomplete body on a reused connection would be read as the next request.
    if (!response.complete || !request.writableEnded) request.destroy();
  }
}
