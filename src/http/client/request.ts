import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Agents } from './agents.js';
import { sendStream } from './body.js';
import { type Limits, superviseRequest } from './limits.js';
import { type HttpResponse, openResponse } from './response.js';

export interface HttpRequest {
  readonly url: URL | string;
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** A stream is read as fast as the server accepts it, and reading ends once there is a response. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** Without an agent for its protocol, the request has a connection of its own. */
  readonly agents?: Agents | undefined;
  /** A Unix socket to connect to; then the URL has only the path. */
  readonly socketPath?: string;
  /** The trust in a server of an `https:` URL. */
  readonly tls?: ConnectionOptions;
  /** Replaces the resolution of the host's name. */
  readonly lookup?: LookupFunction;
  readonly limits?: Limits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request; resolves with the head of the response, whatever its status. Redirects are not followed, nothing is
 * decompressed, and credentials in the URL are ignored. The body of the response must be read, discarded or closed:
 * until then the limits apply, and the connection is not reused.
 *
 * @throws TimeoutError; BodyError; the reason of the signal; otherwise Node's own error, with its `code`
 */
export async function openRequest(options: HttpRequest): Promise<HttpResponse> {
  options.signal?.throwIfAborted();
  const request = createRequest(options);
  const supervision = superviseRequest(request, options);
  try {
    const response = await responseTo(request, options.body);
    return openResponse(request, response, supervision);
  } catch (error) {
    request.destroy();
    supervision.end();
    throw supervision.causeOf(error);
  }
}

function createRequest({ url, method = 'GET', agents, limits, ...others }: HttpRequest): ClientRequest {
  const { socketPath, lookup, tls } = others;
  const isSecure = String(url).startsWith('https:');
  const agent = (isSecure ? agents?.secure : agents?.plain) ?? false;
  const options = {
    method,
    headers: framedHeaders(others),
    agent,
    auth: null,
    ...(limits?.idleMs !== undefined && { timeout: limits.idleMs }),
    ...(socketPath !== undefined && { socketPath }),
    ...(lookup !== undefined && { lookup }),
  };
  return isSecure ? requestSecure(url, { ...options, ...tls }) : requestPlain(url, { ...options, ...withoutName });
}

/**
 * Otherwise Node checks whether the server's name is an address, and compiling its pattern for addresses takes 10 ms.
 */
const withoutName = { servername: '' };

/** The headers with one that tells where the body ends: for GET, DELETE and others Node adds none. */
function framedHeaders({ headers = {}, body }: Pick<HttpRequest, 'headers' | 'body'>): HttpRequest['headers'] {
  const isFramed = Object.keys(headers).some((name) => /^(?:content-length|transfer-encoding)$/i.test(name));
  if (isFramed || body === undefined) return headers;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return { ...headers, 'transfer-encoding': 'chunked' };
  return body.length === 0 ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
}

function responseTo(request: ClientRequest, body: HttpRequest['body']): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Never removed, since errors may occur after the wait.
    request.on('error', reject);
    let isAnswered = false;
    request.once('response', (response) => {
      isAnswered = true;
      resolve(response);
    });
    request.once('close', () => {
      // Creating an error costs more than all listeners.
      if (!isAnswered) reject(new Error('The connection was closed.'));
    });
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) request.end(body);
    else sendStream(request, body).catch(reject);
  });
}
