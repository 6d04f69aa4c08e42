/** The headers that the owner of a webhook, or a message, may set on its calls (docs/architecture.md §12.4). */

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible characters, spaces and tabs, of one byte each. Line breaks are excluded, so no header can inject another. */
const content = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;

/** Headers of routing and framing, which only the node sets. */
const ofTheNode = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'expect',
  'x-parley-event',
]);

/** Headers about the caller's identity or origin, which no message may set. */
const ofTheOwner = new Set([
  'authorization',
  'cookie',
  'cookie2',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'x-api-key',
  'x-auth-token',
  'x-csrf-token',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);
const prefixesOfTheOwner = ['x-forwarded-', 'x-original-', 'x-rewrite-', 'proxy-', 'sec-', 'x-amz-', 'cf-'];

/** Whether the owner of a webhook may set this header: it is well formed and not reserved for the node. */
export function isOwnersHeader(name: string, value: string): boolean {
  return token.test(name) && content.test(value) && !ofTheNode.has(name.toLowerCase());
}

/** Whether a message may set this header: like the owner, except headers about credentials, origin or routing. */
export function isMessagesHeader(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  return (
    isOwnersHeader(name, value) &&
    !ofTheOwner.has(lower) &&
    !prefixesOfTheOwner.some((prefix) => lower.startsWith(prefix))
  );
}
