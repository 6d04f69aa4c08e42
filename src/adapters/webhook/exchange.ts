import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { maxReplyBytes, WebhookError, type WebhookReply, type WebhookRequest } from '../../ports/webhook.js';
import type { Hop } from './redirect.js';
import type { Address } from './target.js';

/**
 * Makes one request, on its own connection to one of the given addresses and no other.
 *
 * @throws WebhookError unreachable, late, too_large; the reason of the signal
 */
export async function exchangeOnce(
  hop: Hop,
  addresses: readonly Address[],
  { timeouts, wantsBody, signal }: Pick<WebhookRequest, 'timeouts' | 'wantsBody'> & { readonly signal: AbortSignal },
): Promise<WebhookReply> {
  signal.throwIfAborted();
  const { url, method, headers, body } = hop;
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  const request = send({
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    method,
    // Nothing is decompressed, so nothing can expand.
    headers: { 'user-agent': 'parley', accept: '*/*', 'accept-encoding': 'identity', ...headers, host: url.host },
    // A connection is only for the checked addresses, so none is kept for another call.
    agent: false,
    lookup: toChecked(addresses),
    rejectUnauthorized: true,
  });
  const onAbort = (): void => void request.destroy(asError(signal.reason));
  signal.addEventListener('abort', onAbort, { once: true });
  const connecting = watchConnection(request, url, timeouts);
  try {
    const response = await responseTo(request, body);
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: await bodyOf(response, wantsBody) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WebhookError) throw error;
    throw new WebhookError('unreachable', `${url.host} cannot be reached${codeOf(error)}.`, { cause: error });
  } finally {
    connecting.end();
    signal.removeEventListener('abort', onAbort);
    request.destroy();
  }
}

function toChecked(addresses: readonly Address[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else if (first === undefined) callback(new Error('There is no address'), '');
    else callback(null, first.address, first.family);
  };
}

function responseTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // The last error may come when there is no caller any more.
    request.on('error', reject);
    request.once('response', resolve);
    request.end(body);
  });
}

/** Ends a request whose connection, or TLS handshake, takes too long. */
function watchConnection(request: ClientRequest, url: URL, timeouts: WebhookRequest['timeouts']) {
  let timer: NodeJS.Timeout | undefined;
  const expect = (what: string, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => request.destroy(new WebhookError('late', `${url.host} ${what} within ${ms} ms.`)), ms);
  };
  const end = (): void => clearTimeout(timer);
  expect('was not connected', timeouts.connectionMs);
  request.once('socket', (socket) => {
    socket.once('connect', () => {
      if (url.protocol === 'https:') expect('did not finish the TLS handshake', timeouts.handshakeMs);
      else end();
    });
    socket.once('secureConnect', end);
  });
  return { end };
}

/** The headers by name; repeated ones are joined. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
    ),
  );
}

/** Reads the body. An unwanted one is read, too, so that its sender is not cut off, but its failure is ignored. */
async function bodyOf(response: IncomingMessage, isWanted: boolean): Promise<Uint8Array> {
  try {
    const body = await collect(response);
    return isWanted ? body : new Uint8Array();
  } catch (error) {
    if (isWanted) throw error;
    return new Uint8Array();
  }
}

async function collect(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    // A stream without an encoding yields bytes.
    sizeBytes += chunk.length;
    if (sizeBytes > maxReplyBytes) {
      throw new WebhookError('too_large', `The reply of the webhook has more than ${maxReplyBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error('the answer was cut off');
  return Buffer.concat(chunks);
}

/** The code of the operating system or of TLS, such as ECONNREFUSED; messages may reveal too much. */
function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined; // the form of Node's errors
  return code === undefined ? '' : ` (${code})`;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
