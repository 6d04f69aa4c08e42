import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';

/** The options of a connection to a server that must show one of these certificates. */
export function pinnedTo(certificates: readonly string[]): ConnectionOptions {
  const known = certificates.map((pem) => new X509Certificate(pem));
  return {
    ca: known.map(String),
    // A certificate issued by an authority is trusted without its issuer.
    allowPartialTrustChain: true,
    checkServerIdentity: (_: string, { raw }: PeerCertificate) =>
      known.some((each) => each.raw.equals(raw)) ? undefined : new Error('it shows another certificate than its own'),
  };
}

/** Whether a text begins with a certificate in PEM. */
export function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}
