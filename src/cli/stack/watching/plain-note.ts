import type { StackSettings } from '../../../stack/definition/definition.js';
import type { StackStatus } from '../../../stack/status.js';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The warning about nodes that receive tokens and data over a network in plain text; undefined if there are none, or
 * the network is trusted.
 */
export function plainNodes(
  { bind, trustedNetwork }: Pick<StackSettings, 'bind' | 'trustedNetwork'>,
  { services }: Pick<StackStatus, 'services'>,
): string | undefined {
  const nodes = services.filter(({ kind, url }) => kind === 'node' && url?.startsWith('http:') === true);
  const isPublic = nodes.some(({ url }) => !loopback.test(new URL(url ?? '').hostname));
  const reached = isPublic || /^(?:0\.0\.0\.0|::)$/.test(bind) ? nodes : [];
  if (reached.length === 0 || trustedNetwork) return undefined;
  const names = reached.map(({ name }) => name).join(', ');
  return (
    `${names}: clients send tokens and data in plain text, which others on the network can read. ` +
    'Set tls: {cert: file:…, key: file:…}, or use a VPN or a TLS proxy.'
  );
}
