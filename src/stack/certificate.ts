import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrno } from '../supervisor/json-file.js';
import { makeDirectory, writePrivateFile } from '../supervisor/private-file.js';

/** What a node proves itself with to the other nodes: PEM, both. */
export interface NodeCertificate {
  /** PKCS #8. Never leaves its file. */
  readonly key: string;
  readonly certificate: string;
}

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Peers know the key and ask for nothing else, so there is no day on which a network has to stop. */
const notAfter = new Date('9999-12-31T23:59:59Z');

/** Makes a new key and a certificate for it that it signs itself. The name is for people; peers do not look at it. */
export async function makeCertificate(name: string): Promise<NodeCertificate> {
  // It costs 60 ms to load, and most commands make no certificate.
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const options = {
    name: [{ CN: [name] }],
    notBefore: new Date(),
    notAfter,
    signingAlgorithm,
    keys,
    serialNumber: webcrypto.getRandomValues(Buffer.alloc(16)).fill(1, 0, 1).toString('hex'),
  };
  const certificate = await X509CertificateGenerator.createSelfSigned(options);
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return { key: pemOf('PRIVATE KEY', der), certificate: pemOf('CERTIFICATE', Buffer.from(certificate.rawData)) };
}

/** Where a node's key and certificate are. */
export interface CertificateFiles {
  readonly keyFile: string;
  readonly certificateFile: string;
}

/**
 * Makes a node's key and certificate where they are missing or one does not belong to the other; whole ones are never
 * replaced. A node whose key is new tells the registry so when it starts (S §17.2), so a lost one heals by itself.
 */
export async function ensureCertificate({ keyFile, certificateFile }: CertificateFiles, name: string): Promise<void> {
  if (await isWhole(keyFile, certificateFile)) return;
  const made = await makeCertificate(name);
  await makeDirectory(dirname(keyFile));
  // The key first: a certificate without its key is remade, a key without its certificate too.
  await writePrivateFile(keyFile, made.key);
  await writePrivateFile(certificateFile, made.certificate);
}

async function isWhole(keyFile: string, certificateFile: string): Promise<boolean> {
  try {
    const [key, certificate] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certificateFile, 'utf8')]);
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isUnreadable(error)) return false;
    throw error;
  }
}

/** What OpenSSL says to bytes that are no key and no certificate. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_OSSL');
}

/** What the registry calls a node: SHA-256 of the public key in its certificate. @throws Error if it is none */
export function publicKeyHashOf(certificate: string): string {
  const { publicKey } = new X509Certificate(certificate);
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
