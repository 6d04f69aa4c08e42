import type { Agent } from 'node:https';
import { BodyError } from '../../../http/client/body.js';
import { TimeoutError } from '../../../http/client/limits.js';
import { openRequest } from '../../../http/client/request.js';
import { ResponseTooLargeError } from '../../../http/client/response.js';
import { PeerError } from '../../../ports/data-exchange.js';
import { decode } from '../../../wire/json/json.js';

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
 * Makes one HTTP request to a peer. A streamed body is read no faster than it is sent, and reading ends once the
 * response has arrived.
 *
 * @throws PeerError if the peer cannot be reached or does not respond; errors of reading the body; the signal's reason
 */
export async function requestPeer(options: PeerRequest): Promise<PeerReply> {
  const { url, method, contentType, sizeBytes, body, agent, silenceMs, signal } = options;
  const headers = { 'content-type': contentType, 'content-length': sizeBytes };
  try {
    const limits = { idleMs: silenceMs };
    const response = await openRequest({ url, method, headers, body, agents: { secure: agent }, limits, signal });
    return { status: response.status, text: decode(await response.collect(maxReplyBytes)) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof BodyError) throw error.cause;
    throw peerErrorOf(error, { url, silenceMs });
  }
}

function peerErrorOf(cause: unknown, { url, silenceMs }: Pick<PeerRequest, 'url' | 'silenceMs'>): PeerError {
  // From the agent: its connection has ended, or leads to another node.
  if (cause instanceof PeerError) return cause;
  const node = `The node at ${url.origin}`;
  if (cause instanceof TimeoutError) return new PeerError(`${node} was silent for ${silenceMs} ms.`);
  if (cause instanceof ResponseTooLargeError) return new PeerError(`The answer of ${url.origin} is too long.`);
  return new PeerError(`${node} cannot be reached.`, { cause });
}
