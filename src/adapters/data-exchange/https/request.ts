import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Agent, request as requestSecure } from 'node:https';
import { PeerError } from '../../../ports/data-exchange.js';
import { decode } from '../../../wire/json/json.js';
import { bodyOf } from './body.js';

export interface PeerRequest {
  /** The full URL, with path and query. */
  readonly url: URL;
  readonly method: 'POST' | 'PUT';
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly body: Uint8Array | AsyncIterable<Uint8Array>;
  /** The agent of the peer's connections. */
  readonly agent: Agent;
  readonly silenceMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PeerReply {
  readonly status: number;
  readonly text: string;
}

const maxReplyBytes = 65_536;

/**
 * Makes one HTTP request to a peer. A streamed body is read no faster than it is sent, and no further once the response
 * has arrived.
 *
 * @throws PeerError if the peer cannot be reached or does not respond; errors of reading the body; the signal's reason
 */
export async function requestPeer(options: PeerRequest): Promise<PeerReply> {
  const { url, method, contentType, sizeBytes, body, agent, silenceMs, signal } = options;
  signal?.throwIfAborted();
  const headers = { 'content-type': contentType, 'content-length': sizeBytes };
  const request = requestSecure(url, { method, headers, agent });
  const abort = (): void => void request.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  request.setTimeout(silenceMs, () => request.destroy(new PeerError(`The peer was silent for ${silenceMs} ms.`)));
  try {
    if (!(body instanceof Uint8Array)) return await Promise.race([replyTo(request, silenceMs), sent(request, body)]);
    request.end(body);
    return await replyTo(request, silenceMs);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
    // After a response before the end of the body, the connection cannot be reused.
    if (!request.writableFinished) request.destroy();
  }
}

function replyTo(request: ClientRequest, silenceMs: number): Promise<PeerReply> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown): void => {
      reject(cause instanceof PeerError ? cause : new PeerError('The peer cannot be reached.', { cause }));
    };
    request.on('error', fail);
    request.once('response', (response) => {
      readReply(response, silenceMs).then(resolve, fail);
    });
  });
}

async function readReply(response: IncomingMessage, silenceMs: number): Promise<PeerReply> {
  const bytes = await bodyOf(response, maxReplyBytes, silenceMs);
  if (bytes === undefined || !response.complete) throw new PeerError('The peer’s answer was cut off, or has no end.');
  return { status: response.statusCode ?? 0, text: decode(bytes) };
}

/** Sends a body. Never resolves; rejects if the body cannot be read. */
async function sent(request: ClientRequest, body: AsyncIterable<Uint8Array>): Promise<never> {
  let isOver = false;
  let wake: (() => void) | undefined;
  const onDrain = (): void => wake?.();
  const onEnd = (): void => {
    isOver = true;
    wake?.();
  };
  request.on('drain', onDrain).once('response', onEnd).once('close', onEnd);
  for await (const chunk of body) {
    if (isOver) break;
    if (request.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (isOver) resolve();
    });
    if (isOver) break;
  }
  if (!isOver) request.end();
  return new Promise<never>(() => undefined);
}
