import { createSilentLog } from '../../src/adapters/log/silent.js';
import { openHttpsExchange } from '../../src/adapters/data-exchange/https.js';
import { makeCertificate } from '../../src/stack/keys/certificate.js';
import { freePort } from '../support/port-base.js';
import { describeDataExchange } from './data-exchange.js';

const places = await Promise.all(
  ['alice', 'bob', 'carol'].map(async (name) => ({ certificate: await makeCertificate(name), port: await freePort() })),
);

describeDataExchange('https', async () => {
  const log = createSilentLog();
  // Each opens once to learn its port; after a restart it has the same port.
  const nodes = await Promise.all(
    places.map(async ({ certificate, port }) => {
      const first = await openHttpsExchange({ ...certificate, host: '127.0.0.1', port, log });
      await first.close();
      return { certificate, port, peer: first.own };
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
      return openHttpsExchange({ ...node.certificate, host: '127.0.0.1', port: node.port, log });
    },
    dispose: async () => undefined,
  };
});
