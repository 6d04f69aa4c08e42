import type { TLSSocket } from 'node:tls';

const original = 'http/1.1';

/**
 * The protocol name (ALPN) that the nodes of one copy of a network use with each other. A copy has the members, keys
 * and addresses of its original, so nothing else would keep the two apart.
 */
export function protocolOf(copy: string | undefined): string {
  return copy === undefined ? original : `parley-${copy}`;
}

/**
 * Whether the other end of a connection speaks this protocol. TLS itself accepts a client that names no protocol, as
 * nodes from before copies existed do; those belong to an original.
 */
export function speaks({ alpnProtocol }: Pick<TLSSocket, 'alpnProtocol'>, protocol: string): boolean {
  return alpnProtocol === protocol || (alpnProtocol === false && protocol === original);
}
