import { webcrypto } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { onTestFinished } from 'vitest';

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
const ourNames = ['localhost', '127.0.0.1'];

interface CertificateOptions {
  readonly names?: readonly string[];
  /** Days from now for which it is valid. */
  readonly days?: number;
}

/** A certificate and its key, both PEM. */
export interface MadeCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate that its own key has signed. */
export async function aCertificate({ names = ourNames, days = 30 }: CertificateOptions = {}): Promise<MadeCertificate> {
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  return { certificate: await signed(names, days, keys), key: await pemOf(keys.privateKey) };
}

/** Makes a certificate issued by a new authority; returns it with the authority's certificate. */
export async function anIssuedCertificate({ names = ourNames, days = 30 }: CertificateOptions = {}) {
  const authority = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const issued = await X509CertificateGenerator.create({
    subject: 'CN=node',
    issuer: 'CN=authority',
    publicKey: keys.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm,
    extensions: [altNames(names)],
    ...validFor(days),
  });
  const own = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=authority',
    keys: authority,
    signingAlgorithm,
    ...validFor(days),
    extensions: [new BasicConstraintsExtension(true)],
  });
  return { certificate: issued.toString('pem'), key: await pemOf(keys.privateKey), authority: own.toString('pem') };
}

/** Writes a certificate and its key to files that are removed when the test ends. */
export function certificateFilesOf({ certificate, key }: MadeCertificate) {
  const directory = mkdtempSync(join(tmpdir(), 'parley-tls-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const files = { certificateFile: join(directory, 'node.crt'), keyFile: join(directory, 'node.key') };
  writeFileSync(files.certificateFile, certificate);
  writeFileSync(files.keyFile, key, { mode: 0o600 });
  return files;
}

async function signed(names: readonly string[], days: number, keys: webcrypto.CryptoKeyPair): Promise<string> {
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=node',
    keys,
    signingAlgorithm,
    extensions: [altNames(names)],
    ...validFor(days),
  });
  return made.toString('pem');
}

function altNames(names: readonly string[]): SubjectAlternativeNameExtension {
  return new SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.:]+$/.test(value) ? 'ip' : 'dns', value })),
  );
}

function validFor(days: number) {
  const now = Date.now();
  return { notBefore: new Date(now - 60 * dayMs), notAfter: new Date(now + days * dayMs) };
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END PRIVATE KEY-----\n`;
}
