import { createSilentLog } from '../../src/adapters/log/silent.js';
import { openHttpsExchange } from '../../src/adapters/data-exchange/https.js';
import { makeCertificate } from '../../src/stack/keys/certificate.js';
import { describeDataExchange } from './data-exchange.js';

const certificates = await Promise.all(['alice', 'bob', 'carol'].map(makeCertificate));

describeDataExchange('https', async () => {
  const log = createSilentLog();
  // Each gets a port by opening once; its later ends have the same.
  const nodes = await Promise.all(
    certificates.map(async (certificate) => {
      const first = await openHttpsExchange({ ...certificate, host: '127.0.0.1', port: 0, log });
      await first.close();
      return { certificate, peer: first.own };
    }),
  );
  const peerAt = (index: number) => nodes[index]?.peer ?? { publicKeyHash: '', endpoint: '' };
  return {
    alice: peerAt(0),
    bob: peerAt(1),
    carol: peerAt(2),
    async connect(own) {
      const node = nodes.find(({ peer }) => peer === own);
      if (node === undefined) throw new Error('There is no such node');
      const port = Number(new URL(own.endpoint).port);
      return openHttpsExchange({ ...node.certificate, host: '127.0.0.1', port, log });
    },
    dispose: async () => undefined,
  };
});
