import { expect, it } from 'vitest';
import { readinessOf } from '../../../src/node/readiness.js';

it('a node is ready once it has read the blocks that were confirmed at its first look, not the head', async () => {
  let processed = 6;
  const pipeline = { isFollowing: () => true, processedBlock: () => processed };
  const heads = { chainId: 1, genesisHash: '0x', head: 10 };
  const blockchain = { status: () => Promise.resolve({ ...heads, confirmed: 7 }) };
  const isReady = readinessOf(pipeline, { blockchain });
  expect(await isReady()).toBe(false);
  processed = 7;
  expect(await isReady()).toBe(true);
});
