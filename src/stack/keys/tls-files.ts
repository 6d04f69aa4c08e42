import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { StackSettings } from '../definition/definition.js';
import { StackError } from '../error.js';
import { nodeName } from '../ports/bind.js';
import type { TlsSettings } from '../settings/tls-settings.js';

/**
 * Checks the certificates and keys that a definition names for the APIs of nodes: readable PEM, a key that is private
 * and belongs to the certificate, dates, and the name by which others call the node.
 *
 * @throws StackError CERTIFICATE_INVALID, KEY_INVALID, KEY_NOT_PRIVATE
 */
export async function checkTls(settings: StackSettings): Promise<void> {
  const checked = new Set<string>();
  for (const { tls } of settings.parties) {
    if (tls === undefined || checked.has(`${tls.certificateFile} ${tls.keyFile}`)) continue;
    checked.add(`${tls.certificateFile} ${tls.keyFile}`);
    await checkPair(tls, nodeName(settings));
  }
}

/** The text of a file with a certificate. @throws StackError CERTIFICATE_INVALID */
export async function readCertificate(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid(`tls.cert: ${path} cannot be read.`, fromDirectory, cause);
  });
  certificateIn(path, text);
  return text;
}

async function checkPair({ certificateFile, keyFile }: TlsSettings, name: string): Promise<void> {
  const certificate = certificateIn(certificateFile, await readCertificate(certificateFile));
  const key = await readKey(keyFile);
  if (!certificate.checkPrivateKey(key)) {
    throw invalid(
      `tls.key: ${keyFile} is not the key of the certificate ${certificateFile}.`,
      'Name the key with which the certificate was requested.',
    );
  }
  checkDates(certificate, certificateFile);
  checkName(certificate, certificateFile, name);
}

const fromDirectory = 'Name a PEM file; a relative path is seen from the directory of stack.yaml.';

function certificateIn(path: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw invalid(
      `tls.cert: ${path} holds no certificate in PEM.`,
      'It begins with -----BEGIN CERTIFICATE-----.',
      cause,
    );
  }
}

async function readKey(path: string): Promise<KeyObject> {
  const entry = await stat(path).catch((cause: unknown) => {
    const hint = 'Name a file of mode 0600; a relative path is seen from the directory of stack.yaml.';
    throw new StackError('KEY_INVALID', `tls.key: ${path} cannot be read.`, { hint, cause });
  });
  const isOurs = entry.uid === process.getuid?.();
  if (!entry.isFile() || !isOurs || (entry.mode & 0o077) !== 0) {
    const mode = (entry.mode & 0o777).toString(8).padStart(4, '0');
    const problem = !entry.isFile()
      ? 'is not a file'
      : isOurs
        ? `has mode ${mode}, not 0600`
        : 'belongs to another user';
    throw new StackError('KEY_NOT_PRIVATE', `tls.key: ${path} ${problem}: other users may have read it.`, {
      hint: `If no other user can have read it: chmod 0600 ${path}`,
    });
  }
  const text = await readFile(path, 'utf8');
  if (/^-----BEGIN ENCRYPTED|^Proc-Type:.*ENCRYPTED/m.test(text)) {
    throw new StackError('KEY_INVALID', `tls.key: ${path} is encrypted, and a node cannot ask for its password.`, {
      hint: `Decrypt it into a file of mode 0600: openssl pkey -in ${path} -out FILE`,
    });
  }
  try {
    return createPrivateKey(text);
  } catch (cause) {
    throw new StackError('KEY_INVALID', `tls.key: ${path} holds no private key in PEM.`, {
      hint: 'It begins with -----BEGIN PRIVATE KEY-----.',
      cause,
    });
  }
}

function checkDates({ validFrom, validTo }: X509Certificate, path: string): void {
  const now = Date.now();
  if (now > Date.parse(validTo)) {
    throw invalid(`tls.cert: the certificate ${path} has expired: it was valid until ${validTo}.`, 'Renew it.');
  }
  if (now < Date.parse(validFrom)) {
    throw invalid(
      `tls.cert: the certificate ${path} is valid only from ${validFrom} on.`,
      'Check the clock of this machine.',
    );
  }
}

function checkName(certificate: X509Certificate, path: string, name: string): void {
  const isAddress = isIP(name) !== 0;
  const isOf = isAddress ? certificate.checkIP(name) : certificate.checkHost(name, { subject: 'never' });
  if (isOf !== undefined) return;
  const names = certificate.subjectAltName ?? 'no name';
  throw invalid(
    `tls.cert: the certificate ${path} is for ${names}, but the nodes are called ${name}.`,
    `Make one with the subjectAltName ${isAddress ? 'IP' : 'DNS'}:${name}, or set advertise to a name that it has.`,
  );
}

function invalid(message: string, hint: string, cause?: unknown): StackError {
  return new StackError('CERTIFICATE_INVALID', message, { hint, cause });
}
