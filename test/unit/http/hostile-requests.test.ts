import { connect } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startTestNetwork } from '../../support/node.js';
import { hostileRequests, sendHostile, unharmed } from '../../support/hostile-requests.js';
import { certificates, openEnd, portOf } from '../adapters/data-exchange/open-exchange.js';
import { serve } from '../devchain/support.js';
import { openStore } from '../sharedstore/open-store.js';

async function attack(port: number): Promise<void> {
  const requests = hostileRequests(`127.0.0.1:${port}`);
  expect(await sendHostile(requests, { host: '127.0.0.1', port })).toEqual(unharmed);
}

describe('Requests that no well-behaved client makes do no harm', () => {
  test('at the chain', async () => {
    const chain = await serve();
    onTestFinished(() => chain.stop());
    await attack(chain.port);
    expect(await chain.call('eth_blockNumber')).toBe('0x0');
  });

  test('at the store', async () => {
    const store = await openStore();
    onTestFinished(() => store.dispose());
    await attack(store.port);
    expect((await fetch(`${store.url}/livez`)).status).toBe(200);
  });

  test('at a node', async () => {
    const network = await startTestNetwork();
    onTestFinished(() => network.stop());
    await attack(Number(new URL(network.node.url).port));
    expect((await fetch(`${network.node.url}/api/v1/status`)).status).toBe(200);
    expect(network.node.fatal).toEqual([]);
  });

  test('at the port for peers, from a registered member', async () => {
    const end = await openEnd('alice');
    const port = portOf(end);
    const { key, certificate: cert } = certificates.bob;
    const open = async () => connect({ host: '127.0.0.1', port, rejectUnauthorized: false, key, cert });
    // Each connection proves a key, which takes longer than everything else.
    const requests = hostileRequests(`127.0.0.1:${port}`).filter((_, index) => index % 5 === 0);
    expect(await sendHostile(requests, open)).toEqual(unharmed);
  });
});
