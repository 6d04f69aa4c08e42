import { connect as connectPlain } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRefusals } from '../../../../../src/adapters/data-exchange/https/refusals.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { createPrometheusMetrics } from '../../../../../src/adapters/metrics/prometheus.js';
import type { Log } from '../../../../../src/ports/log.js';
import { certificates, hashOf, openEnd, openRaw, portOf } from '../open-exchange.js';

/** A log that records its warnings. */
function listening() {
  const warnings: unknown[] = [];
  const log: Log = { ...createSilentLog(), warn: (_sentence, fields) => void warnings.push(fields) };
  return { log, warnings };
}

test('refused peers are logged at warn and counted by reason', async () => {
  const { log, warnings } = listening();
  const metrics = createPrometheusMetrics();
  const port = portOf(await openEnd('bob', undefined, {}, { log, metrics }));
  const counted = async (reason: string): Promise<number> => {
    const found = new RegExp(`parley_peers_refused_total\\{reason="${reason}"\\} (\\d+)`).exec(await metrics.text());
    return Number(found?.[1] ?? 0);
  };
  const { key, certificate: cert } = certificates.mallory;
  for (let count = 0; count < 3; count++) await (await openRaw(port, { key, cert })).ended;
  await (
    await openRaw(port, {})
  ).ended;
  await (
    await openRaw(port, { key, cert, maxVersion: 'TLSv1.2' })
  ).ended;
  const plain = connectPlain(port, '127.0.0.1', () => plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  onTestFinished(() => void plain.destroy());
  plain.on('error', () => undefined).resume();
  await expect.poll(() => counted('no_tls')).toBe(1);
  await expect.poll(() => counted('tls_version')).toBe(1);
  expect([await counted('unknown_key'), await counted('no_certificate')]).toEqual([3, 1]);
  expect(warnings).toHaveLength(4);
  expect(warnings).toEqual(
    expect.arrayContaining([
      { reason: 'unknown_key', peer: hashOf('mallory') },
      { reason: 'no_certificate' },
      { reason: 'tls_version' },
      { reason: 'no_tls' },
    ]),
  );
});

test('a key and reason are logged once a minute, and the number of remembered keys is limited', () => {
  const { log, warnings } = listening();
  const nowMs = vi.fn(() => 0);
  const refuse = createRefusals({ log, metrics: undefined, nowMs });
  for (let count = 0; count < 5; count++) refuse('unknown_key', 'a');
  refuse('too_many_connections', 'a');
  refuse('unknown_key', 'b');
  expect(warnings).toHaveLength(3);
  nowMs.mockReturnValue(60_000);
  refuse('unknown_key', 'a');
  expect(warnings).toHaveLength(4);
  for (let key = 0; key < 5_000; key++) refuse('unknown_key', `key-${key}`);
  expect(warnings.length).toBeLessThanOrEqual(1_004);
});
