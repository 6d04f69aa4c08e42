/** Which headers of a webhook's call may come from whom (assurance S18). */

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible characters, spaces and tabs, of one byte each: no line breaks, so no header makes another. */
const content = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;

/** They say where a message goes and how its bytes are to be read, which is for the node alone. */
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

/** They say who calls, from where, or as what: no message may. */
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

/** Whether the owner of a webhook may set this header: it is well formed, and none that the node sets itself. */
export function isOwnersHeader(name: string, value: string): boolean {
  return token.test(name) && content.test(value) && !ofTheNode.has(name.toLowerCase());
}

/** Whether a message may set this header: as the owner, but none that has to do with credentials, origin or routing. */
export function isMessagesHeader(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  return (
    isOwnersHeader(name, value) &&
    !ofTheOwner.has(lower) &&
    !prefixesOfTheOwner.some((prefix) => lower.startsWith(prefix))
  );
}
