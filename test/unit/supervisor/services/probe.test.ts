import { writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProbe } from '../../../../src/supervisor/services/probe.js';
import { aCertificate, certificateFilesOf } from '../../../support/certificates.js';
import { aCertifiedService } from '../../../support/certified-service.js';

const timeoutMs = 10_000;

function aProbe() {
  const probe = createProbe();
  onTestFinished(() => probe.close());
  return probe;
}

describe('A probe of a service with a certificate', () => {
  test('trusts its certificate file, before and after the service has loaded a renewed one', async () => {
    const first = await aCertificate();
    const { certificateFile } = certificateFilesOf(first);
    const { url, renew } = await aCertifiedService(first);
    const fresh = () => aProbe().ask(url, { timeoutMs, certificateFile });
    const probe = aProbe();
    expect(await probe.ask(url, { timeoutMs, certificateFile })).toBe('ready');
    const second = await aCertificate();
    await writeFile(certificateFile, second.certificate);
    expect(await probe.ask(url, { timeoutMs, certificateFile })).toBe('ready');
    expect(await fresh()).toBe('missing');
    renew(second);
    expect(await probe.ask(url, { timeoutMs, certificateFile })).toBe('ready');
    expect(await fresh()).toBe('ready');
    await writeFile(certificateFile, 'half of a file');
    expect(await probe.ask(url, { timeoutMs, certificateFile })).toBe('ready');
  });

  test('reports that it has expired, which a restart would not change', async () => {
    const own = await aCertificate({ days: -1 });
    const { certificateFile } = certificateFilesOf(own);
    const { url } = await aCertifiedService(own);
    expect(await aProbe().ask(url, { timeoutMs, certificateFile })).toMatchObject({
      problem: expect.any(String) as string,
    });
  });
});
