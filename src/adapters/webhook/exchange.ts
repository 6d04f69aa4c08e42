import type { LookupFunction } from 'node:net';
import { TimeoutError } from '../../http/client/limits.js';
import { openRequest } from '../../http/client/request.js';
import { type HttpResponse, ResponseTooLargeError } from '../../http/client/response.js';
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
  const { url, method, headers, body } = hop;
  const { connectionMs, handshakeMs } = timeouts;
  const request = {
    url,
    method,
    // Nothing is decompressed, so nothing can expand.
    headers: { 'user-agent': 'parley', accept: '*/*', 'accept-encoding': 'identity', ...headers, host: url.host },
    body,
    // No agents: a connection is only for the checked addresses, so it is not kept for another call.
    lookup: toChecked(addresses),
    tls: { rejectUnauthorized: true },
    limits: { connectionMs, handshakeMs },
    signal,
  };
  try {
    const response = await openRequest(request);
    return { status: response.status, headers: headersOf(response), body: await bodyOf(response, wantsBody) };
  } catch (error) {
    signal.throwIfAborted();
    throw webhookErrorOf(error, url, timeouts);
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

/** The headers by name; repeated ones are joined. */
function headersOf({ headers }: HttpResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')] as const],
    ),
  );
}

/**
 * Reads the body. An unwanted body is read, too, so that its sender is not cut off, but a failure of that is ignored.
 */
async function bodyOf(response: HttpResponse, isWanted: boolean): Promise<Uint8Array> {
  try {
    const body = await response.collect(maxReplyBytes);
    return isWanted ? body : new Uint8Array();
  } catch (error) {
    if (isWanted) throw error;
    return new Uint8Array();
  }
}

function webhookErrorOf(error: unknown, { host }: URL, timeouts: WebhookRequest['timeouts']): WebhookError {
  if (error instanceof ResponseTooLargeError) {
    return new WebhookError('too_large', `The reply of the webhook has more than ${maxReplyBytes} bytes.`);
  }
  if (!(error instanceof TimeoutError)) {
    return new WebhookError('unreachable', `${host} cannot be reached${codeOf(error)}.`, { cause: error });
  }
  const isConnected = error.limit === 'handshakeMs';
  const did = isConnected ? 'did not finish the TLS handshake' : 'was not connected';
  const ms = isConnected ? timeouts.handshakeMs : timeouts.connectionMs;
  return new WebhookError('late', `${host} ${did} within ${ms} ms.`);
}

/** The code of the operating system or of TLS, such as ECONNREFUSED; messages may reveal too much. */
function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined; // the form of Node's errors
  return code === undefined ? '' : ` (${code})`;
}
