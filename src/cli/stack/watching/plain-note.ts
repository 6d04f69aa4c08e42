import type { StackSettings } from '../../../stack/definition/definition.js';
import type { StackStatus } from '../../../stack/status.js';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The note on nodes that send tokens and data through a network in plain text; undefined if none does, or every machine
 * of the network is trusted.
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
    `${names}: callers send tokens and data in plain text, which others on the way can read. ` +
    'Set tls: {cert: file:…, key: file:…}, or put a VPN or a proxy with TLS before them.'
  );
}
