import { chmod, symlink, writeFile } from 'node:fs/promises';
import { createPrivateKey } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { checkTls } from '../../../../src/stack/keys/tls-files.js';
import type { TlsSettings } from '../../../../src/stack/settings/tls-settings.js';
import { aCertificate, anIssuedCertificate, certificateFilesOf } from '../../../support/certificates.js';
import { someSettings } from '../fixtures/place.js';

function settingsWith(tls: TlsSettings, ...lines: string[]) {
  const settings = someSettings(...lines);
  return { ...settings, parties: settings.parties.map((party) => ({ ...party, tls })) };
}

describe('The certificate of an API', () => {
  test('is accepted with its private key and the name of the nodes', async () => {
    const files = certificateFilesOf(await aCertificate());
    await checkTls(settingsWith(files));
    const issued = certificateFilesOf(await anIssuedCertificate({ names: ['*.example.org'] }));
    await checkTls({ ...settingsWith(issued), advertise: 'node.example.org' });
  });

  test('may be a symbolic link', async () => {
    const files = certificateFilesOf(await aCertificate());
    const linked = { certificateFile: `${files.certificateFile}.link`, keyFile: `${files.keyFile}.link` };
    await symlink(files.certificateFile, linked.certificateFile);
    await symlink(files.keyFile, linked.keyFile);
    await checkTls(settingsWith(linked));
  });

  test.each([
    ['for another address', { names: ['localhost'] }, null, 'IP:127.0.0.1'],
    ['for another name', { names: ['localhost', '127.0.0.1'] }, 'node.example.org', 'DNS:node.example.org'],
    ['without a name', { names: [] }, null, 'IP:127.0.0.1'],
    ['that has expired', { days: -1 }, null, 'Renew'],
  ])('%s is refused with a remedy', async (_, asked, advertise, hint) => {
    const files = certificateFilesOf(await aCertificate(asked));
    await expect(checkTls({ ...settingsWith(files), advertise })).rejects.toMatchObject({
      code: 'CERTIFICATE_INVALID',
      exitCode: 9,
      message: expect.stringContaining('tls.cert') as string,
      hint: expect.stringContaining(hint) as string,
    });
  });

  test.each<[string, (files: TlsSettings) => Promise<void>, string]>([
    ['an empty file', ({ certificateFile }) => writeFile(certificateFile, ''), 'CERTIFICATE_INVALID'],
    ['another file', ({ certificateFile }) => writeFile(certificateFile, '{"json":true}'), 'CERTIFICATE_INVALID'],
    ['an invalid key', ({ keyFile }) => writeFile(keyFile, 'none'), 'KEY_INVALID'],
    ['a key that others may read', ({ keyFile }) => chmod(keyFile, 0o640), 'KEY_NOT_PRIVATE'],
    [
      'the key of another certificate',
      async ({ keyFile }) => writeFile(keyFile, (await aCertificate()).key),
      'CERTIFICATE_INVALID',
    ],
    ['a key with a password', ({ keyFile }) => encrypt(keyFile), 'KEY_INVALID'],
  ])('with %s is refused', async (_, damage, code) => {
    const files = certificateFilesOf(await aCertificate());
    await damage(files);
    await expect(checkTls(settingsWith(files))).rejects.toMatchObject({ code, exitCode: 9 });
  });

  test('is reported with the name of its setting if a file is missing', async () => {
    const files = certificateFilesOf(await aCertificate());
    const nowhere = '/nowhere/node.pem';
    for (const [member, setting] of [
      ['certificateFile', 'tls.cert'],
      ['keyFile', 'tls.key'],
    ] as const) {
      const message = expect.stringContaining(`${setting}: ${nowhere} cannot be read`) as string;
      await expect(checkTls(settingsWith({ ...files, [member]: nowhere }))).rejects.toMatchObject({ message });
    }
  });
});

async function encrypt(file: string): Promise<void> {
  const { key } = await aCertificate();
  const how = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' } as const;
  await writeFile(file, createPrivateKey(key).export(how));
}
