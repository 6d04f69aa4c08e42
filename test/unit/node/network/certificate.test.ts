import { rename, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import type { Certificate } from '../../../../src/http/server.js';
import { openCertificate } from '../../../../src/node/network/certificate.js';
import { aCertificate, certificateFilesOf } from '../../../support/certificates.js';

describe('The certificate of a node', () => {
  test('follows its files, which are replaced one after the other', async () => {
    const first = await aCertificate();
    const files = certificateFilesOf(first);
    const opened = await openCertificate(files, createSilentLog());
    expect(opened.first).toEqual(first);
    const seen: Certificate[] = [];
    onTestFinished(opened.follow((certificate) => void seen.push(certificate)));
    const second = await aCertificate();
    for (const [file, text] of [
      [files.certificateFile, second.certificate],
      [files.keyFile, second.key],
    ] as const) {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    }
    await expect.poll(() => seen.at(-1)).toEqual(second);
    expect(seen).not.toContainEqual(expect.objectContaining({ key: first.key, certificate: second.certificate }));
  });

  test('is refused with another key', async () => {
    const files = certificateFilesOf({ ...(await aCertificate()), key: (await aCertificate()).key });
    await expect(openCertificate(files, createSilentLog())).rejects.toThrow('is not the key');
  });
});
