import { expect, test } from 'vitest';
import { createPrometheusMetrics } from '../../../../../src/adapters/metrics/prometheus.js';
import { PeerError } from '../../../../../src/ports/data-exchange.js';
import { aReceiver } from '../../../../support/peer-receiver.js';
import { certificates, openEnd, openRaw, portOf } from '../open-exchange.js';

const [left, right] = ['0123456789abcdef', 'fedcba9876543210'];

test.each([
  ['an original and its copy', {}, { copy: left }],
  ['a copy and its original', { copy: left }, {}],
  ['two copies', { copy: left }, { copy: right }],
])('Nodes of %s refuse one another, with the keys and addresses that each knows', async (_, ofAlice, ofBob) => {
  const heard: string[] = [];
  const receiver = {
    ...aReceiver(),
    receiveEnvelope: (sender: string) => (heard.push(sender), Promise.resolve({ status: 'stored' as const })),
  };
  const alice = await openEnd('alice', aReceiver(), {}, ofAlice);
  const bob = await openEnd('bob', receiver, {}, ofBob);
  await expect(alice.send(bob.own, '{}')).rejects.toThrow(PeerError);
  expect(heard).toEqual([]);
});

test('Nodes of one copy communicate', async () => {
  const alice = await openEnd('alice', aReceiver(), {}, { copy: left });
  const bob = await openEnd('bob', aReceiver(), {}, { copy: left });
  expect(await alice.send(bob.own, '{}')).toMatchObject({ status: 'stored' });
});

test('A copy counts nodes of others, and disconnects a client without a protocol before it reads HTTP', async () => {
  const metrics = createPrometheusMetrics();
  const port = portOf(await openEnd('bob', aReceiver(), {}, { copy: left, metrics }));
  const { key, certificate: cert } = certificates.alice;
  const silent = await openRaw(port, { key, cert });
  await silent.ended;
  expect(silent.text()).toBe('');
  await (
    await openRaw(port, { key, cert, ALPNProtocols: ['http/1.1'] })
  ).ended;
  await expect.poll(() => metrics.text()).toContain('parley_peers_refused_total{reason="other_copy"} 2');
});
