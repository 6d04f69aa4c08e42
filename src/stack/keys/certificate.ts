import { createHash, createPrivateKey, webcrypto, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrno } from '../../supervisor/files/json-file.js';
import { makeDirectory, writePrivateFile } from '../../supervisor/files/private-file.js';

/** The key and certificate of a node, both PEM. */
export interface NodeCertificate {
  /** PKCS #8. Never leaves its file. */
  readonly key: string;
  readonly certificate: string;
}

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Peers check only the key, so a certificate need not expire. */
const notAfter = new Date('9999-12-31T23:59:59Z');

/** Creates a key with a self-signed certificate. The name is for people; peers ignore it. */
export async function makeCertificate(name: string): Promise<NodeCertificate> {
  // Loaded on use: it takes 60 ms, and most commands create no certificate.
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

/** The files of a node's key and certificate. */
export interface CertificateFiles {
  readonly keyFile: string;
  readonly certificateFile: string;
}

/**
 * Creates a node's key and certificate if they are missing or do not match; valid ones are never replaced. A node with
 * a new key updates the registry when it starts (docs/protocol.md §4.2), so a lost key is replaced without help.
 */
export async function ensureCertificate({ keyFile, certificateFile }: CertificateFiles, name: string): Promise<void> {
  if (await isWhole(keyFile, certificateFile)) return;
  const made = await makeCertificate(name);
  await makeDirectory(dirname(keyFile));
  // The key is written first: if either is missing, both are created again.
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

/** Whether an error is OpenSSL's for bytes that are not a key or certificate. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_OSSL');
}

/**
 * A node's public-key hash in the registry: SHA-256 of the public key in its certificate.
 *
 * @throws Error if the certificate is invalid
 */
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
