import type { TLSSocket } from 'node:tls';

const original = 'http/1.1';

/**
 * The name under which the nodes of one copy of a network speak with one another (ALPN). A copy has the members, keys
 * and addresses of its original, so nothing else would keep the two apart.
 */
export function protocolOf(copy: string | undefined): string {
  return copy === undefined ? original : `parley-${copy}`;
}

/**
 * Whether the other end of a connection speaks this protocol. TLS itself lets a client pass that names none; nodes from
 * before there were copies do that, and belong to an original.
 */
export function speaks({ alpnProtocol }: Pick<TLSSocket, 'alpnProtocol'>, protocol: string): boolean {
  return alpnProtocol === protocol || (alpnProtocol === false && protocol === original);
}
