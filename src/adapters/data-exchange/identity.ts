import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** What a node is known by: SHA-256 of the public key (SPKI, DER) in a certificate. @throws Error if it is none */
export function publicKeyHashOf(certificate: string): string {
  return hashOf(new X509Certificate(certificate));
}

/** The same of whoever is at the other end; undefined when no certificate came. To be asked after the handshake. */
export function peerOf(socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : hashOf(certificate);
}

function hashOf({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}
