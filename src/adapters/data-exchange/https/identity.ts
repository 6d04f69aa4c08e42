import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/**
 * The public-key hash that identifies a node: SHA-256 of the public key (SPKI, DER) in a certificate. @throws Error if
 * it is invalid
 */
export function publicKeyHashOf(certificate: string): string {
  return hashOf(new X509Certificate(certificate));
}

/** The public-key hash of the other end of a connection, after the handshake; undefined without a certificate. */
export function peerOf(socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? undefined : hashOf(certificate);
}

function hashOf({ publicKey }: X509Certificate): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}
