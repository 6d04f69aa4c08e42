import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKuboStore } from '../../src/adapters/shared-store/kubo.js';
import { hasNoKubo, type Kubo, startKubo } from '../support/kubo.js';
import { openStore } from '../unit/sharedstore/open-store.js';
import { describeSharedStore } from './shared-store.js';

/** An IPFS node that is configured to use other names, which must not matter. */
const otherNames = {
  Import: { CidVersion: 1, UnixFSRawLeaves: true, UnixFSChunker: 'size-1048576', UnixFSFileMaxLinks: 1_024 },
};

describe.skipIf(hasNoKubo)('needs Kubo', () => {
  let kubo: Kubo;
  beforeAll(async () => {
    kubo = await startKubo(otherNames);
  });
  afterAll(() => kubo.remove());
  const storeOf = () => createKuboStore({ apiUrl: kubo.api, gatewayUrl: kubo.gateway });

  describeSharedStore('kubo, against Kubo', async () => ({ store: storeOf(), dispose: async () => undefined }));

  // Around a leaf, one level of the tree, and two levels.
  test.each([0, 1, 262_143, 262_144, 262_145, 45_613_056, 45_613_057])(
    'Kubo and the built-in store give %i bytes the same name',
    async (sizeBytes) => {
      const own = await openStore();
      const bytes = randomBytes(sizeBytes);
      const chunks = async function* () {
        yield bytes;
      };
      const mine = createKuboStore({ apiUrl: own.url, gatewayUrl: own.url });
      expect(await storeOf().putStream(chunks())).toBe(await mine.putStream(chunks()));
      expect(await storeOf().put(bytes.subarray(0, 300_000))).toBe(await mine.put(bytes.subarray(0, 300_000)));
      await own.dispose();
    },
  );
});
