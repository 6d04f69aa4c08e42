import { maxRedirects, travelling, WebhookError, type WebhookReply, type WebhookRequest } from '../../ports/webhook.js';

/** The part of a request that changes with a redirect. */
export type Hop = Pick<WebhookRequest, 'method' | 'headers' | 'body'> & { readonly url: URL };

const redirects = [301, 302, 303, 307, 308];

/**
 * Makes a request and follows its redirects. Method and body are kept: turning a POST into a GET, as browsers do after
 * 301 and 302, would treat the response to an empty call as the response to the event. Only 303 means that the event
 * was accepted and its response is elsewhere.
 *
 * @throws WebhookError refused, and the errors of `exchange`
 */
export async function followRedirects(
  request: WebhookRequest,
  exchange: (hop: Hop) => Promise<WebhookReply>,
): Promise<WebhookReply> {
  let hop: Hop = { ...request, url: new URL(request.url) };
  for (let followed = 0; ; followed++) {
    const reply = await exchange(hop);
    const next = nextHop(hop, reply);
    if (next === undefined) return reply;
    if (followed === maxRedirects) {
      throw new WebhookError('refused', `The webhook was redirected more than ${maxRedirects} times.`);
    }
    hop = next;
  }
}

function nextHop(hop: Hop, { status, headers }: WebhookReply): Hop | undefined {
  const { location } = headers;
  if (!redirects.includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, hop.url.href))
    throw new WebhookError('refused', 'The webhook was redirected to an invalid URL.');
  const url = new URL(location, hop.url);
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw new WebhookError('refused', `The webhook was redirected from https to ${url.protocol}//${url.host}.`);
  }
  const kept = Object.entries(hop.headers).filter(
    ([name]) => url.origin === hop.url.origin || travelling.includes(name),
  );
  if (status !== 303) return { ...hop, url, headers: Object.fromEntries(kept) };
  const withoutBody = kept.filter(([name]) => name !== 'content-type');
  const method = hop.method === 'HEAD' ? 'HEAD' : 'GET';
  return { url, method, headers: Object.fromEntries(withoutBody) };
}
