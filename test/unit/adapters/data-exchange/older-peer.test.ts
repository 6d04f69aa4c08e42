import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { certificates, hashOf, openEnd } from './open-exchange.js';

test("a request for a batch is repeated if the peer's version does not support it", async () => {
  const { key, certificate: cert } = certificates.bob;
  const secure = { key, cert, requestCert: true, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
  const server = createServer(secure, (_, response) => response.writeHead(404).end());
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const alice = await openEnd('alice');
  const bob = { publicKeyHash: hashOf('bob'), endpoint: `https://127.0.0.1:${port}` };
  expect(await alice.request(bob, 'a'.repeat(64))).toMatchObject({ status: 'later', reason: /upgrade/ });
});
