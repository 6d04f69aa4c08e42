import { Agent, type IncomingMessage, request as requestPlain } from 'node:http';
import { Agent as SecureAgent, request as requestSecure } from 'node:https';
import { StoreError } from '../../ports/shared-store.js';

export interface HttpMessage {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Uint8Array;
  /** Limit of the response; reading stops beyond it with `too_large`. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Empty unless the status is 200; other bodies are ignored. */
  readonly bytes: Uint8Array;
}

/**
 * Creates HTTP requests over kept-alive connections. `fetch` takes about three times the CPU, and every batch of the
 * network passes here once at each node.
 *
 * The function that it returns throws StoreError `later` (no response within `timeoutMs`), `unreachable`, `too_large`;
 * an aborted signal rejects with its reason.
 */
export function createExchange(timeoutMs: number): (message: HttpMessage) => Promise<HttpAnswer> {
  const agents = { plain: new Agent({ keepAlive: true }), secure: new SecureAgent({ keepAlive: true }) };
  return ({ url, method, headers, body, maxBytes, signal }) =>
    new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const send = isSecure ? requestSecure : requestPlain;
      const request = send(url, { method, headers, agent: isSecure ? agents.secure : agents.plain });
      const timer = setTimeout(() => {
        request.destroy(new StoreError('later', 'The shared store did not answer in time.'));
      }, timeoutMs);
      const onAbort = (): void => {
        request.destroy();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const fail = (cause: unknown): void => {
        end();
        if (signal?.aborted === true) reject(asError(signal.reason));
        else if (cause instanceof StoreError) reject(cause);
        else reject(new StoreError('unreachable', 'The shared store cannot be reached.', { cause }));
      };
      request.once('error', fail);
      request.once('response', (response) => {
        collect(response, maxBytes).then((answer) => {
          end();
          resolve(answer);
        }, fail);
      });
      request.end(body);
    });
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    response.resume();
    return { status, bytes: new Uint8Array() };
  }
  const tooLarge = (): StoreError => new StoreError('too_large', `The content has more than ${maxBytes} bytes.`);
  if (Number(response.headers['content-length']) > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    // A stream without an encoding yields bytes.
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('The answer was cut off');
  return { status, bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks) };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
