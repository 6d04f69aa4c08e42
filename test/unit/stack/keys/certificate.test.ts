import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { publicKeyHashOf as asPeersSeeIt } from '../../../../src/adapters/data-exchange/https/identity.js';
import { ensureCertificate, makeCertificate, publicKeyHashOf } from '../../../../src/stack/keys/certificate.js';

const others = (await makeCertificate('other')).certificate;

describe('The certificate of a node', () => {
  test('belongs to its key, does not expire, and differs each time', async () => {
    const [first, second] = await Promise.all([makeCertificate('alice'), makeCertificate('alice')]);
    const certificate = new X509Certificate(first.certificate);
    expect(certificate.checkPrivateKey(createPrivateKey(first.key))).toBe(true);
    expect(certificate.subject).toBe('CN=alice');
    expect(new Date(certificate.validTo).getUTCFullYear()).toBe(9999);
    expect(publicKeyHashOf(second.certificate)).not.toBe(publicKeyHashOf(first.certificate));
  });

  test('has the same hash in the registry and for its peers', async () => {
    const { certificate } = await makeCertificate('alice');
    expect(publicKeyHashOf(certificate)).toMatch(/^[0-9a-f]{64}$/);
    expect(publicKeyHashOf(certificate)).toBe(asPeersSeeIt(certificate));
  });
});

describe('Key and certificate in their files', () => {
  test('are created once, private, and with no other file', async () => {
    const { files, directory, ensure, read } = await aPlace();
    await ensure();
    const made = await read();
    await ensure();
    expect(await read()).toEqual(made);
    expect((await stat(files.keyFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['node.crt', 'node.key']);
  });

  test.each(['keyFile', 'certificateFile'] as const)('are both created again if the %s is lost', async (lost) => {
    const { files, ensure, read } = await aPlace();
    await ensure();
    const [key, certificate] = await read();
    await rm(files[lost]);
    await ensure();
    const [newKey, newCertificate] = await read();
    expect(newKey).not.toBe(key);
    expect(newCertificate).not.toBe(certificate);
    expect(new X509Certificate(newCertificate).checkPrivateKey(createPrivateKey(newKey))).toBe(true);
  });

  test.each([
    ['is empty', ''],
    ['is not a certificate', 'no certificate'],
    ['belongs to another key', others],
  ])('are created again if the certificate %s', async (_, text) => {
    const { files, ensure, read } = await aPlace();
    await ensure();
    await writeFile(files.certificateFile, text);
    await ensure();
    const [key, certificate] = await read();
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });
});

async function aPlace() {
  const directory = await mkdtemp(join(tmpdir(), 'certificate-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const files = { keyFile: join(directory, 'node.key'), certificateFile: join(directory, 'node.crt') };
  const read = async (): Promise<[string, string]> => [
    await readFile(files.keyFile, 'utf8'),
    await readFile(files.certificateFile, 'utf8'),
  ];
  return { directory, files, read, ensure: () => ensureCertificate(files, 'alice') };
}
