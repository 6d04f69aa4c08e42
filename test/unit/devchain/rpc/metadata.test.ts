import { expect, test } from 'vitest';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { alice, chainId, serve, type Served, todayMs, transfer } from '../support.js';

async function metadataOf(served: Served): Promise<Readonly<Record<string, unknown>>> {
  return (await served.call('hardhat_metadata')) as Readonly<Record<string, unknown>>;
}

/** Starts a chain with one block; returns its metadata. */
async function live(files = createMemoryFiles(), nowMs = todayMs): Promise<Readonly<Record<string, unknown>>> {
  const served = await serve({ files, nowMs: () => nowMs });
  if ((await served.call('eth_blockNumber')) === '0x0') {
    await served.call('eth_sendRawTransaction', await transfer(alice, 0));
  }
  const found = await metadataOf(served);
  await served.stop();
  return found;
}

test('the chain has a client version that the helpers of Hardhat accept', async () => {
  const served = await serve();
  expect(await served.call('web3_clientVersion')).toMatch(/^HardhatNetwork\/edr\//);
  const { hash } = (await served.call('eth_getBlockByNumber', 'latest', false)) as { hash: string };
  expect(await metadataOf(served)).toEqual({
    clientVersion: await served.call('web3_clientVersion'),
    chainId,
    instanceId: hash,
    latestBlockNumber: 0,
    latestBlockHash: hash,
  });
  await served.stop();
});

test('a chain keeps its id over all starts, and another with the same beginning has another', async () => {
  const files = createMemoryFiles();
  const first = await live(files);
  expect(first['instanceId']).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await live(files, todayMs + 1_000)).toEqual(first);
  expect((await live(createMemoryFiles(), todayMs + 1_000))['instanceId']).not.toBe(first['instanceId']);
});
