import { expect, it } from 'vitest';
import { createErc1155 } from '../../src/adapters/token-connector/erc1155.js';
import type { TokenConnector } from '../../src/ports/token-connector.js';
import { type ContractChain, artifactOf } from '../support/contract-chain.js';
import { alice } from '../unit/devchain/support.js';
import { aRequest, createdPool, describeTokenConnector } from './token-connector.js';
import { keys, openTokenWorld } from './token-connector/world.js';

async function open(contracts: ContractChain): Promise<TokenConnector> {
  const { address } = await contracts.deploy(alice, await artifactOf('TokenPools'));
  return createErc1155({ address: address.toLowerCase(), firstBlock: 0 });
}

describeTokenConnector('erc1155', open);

it('erc1155: mints 250 tokens with the longest URI in one transaction, and reads each', async () => {
  const world = await openTokenWorld(open);
  const pool = await createdPool(world, 'nonfungible');
  const request = aRequest(pool, 'mint', { amount: '250', uri: 'u'.repeat(1_024) });
  const events = await world.read(keys.alice, world.connector.transfer(request));
  const indexes = events.map((event) => (event.type === 'transfer' ? Number(event.tokenIndex) : 0));
  expect(indexes).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  expect(new Set(events.map(({ protocolId }) => protocolId)).size).toBe(250);
});

it('erc1155: shows an approval once for the contract, whatever pool it was given in', async () => {
  const world = await openTokenWorld(open);
  const [first, second] = [await createdPool(world, 'fungible'), await createdPool(world, 'nonfungible')];
  const request = { key: keys.alice, operator: keys.bob, approved: true, config: undefined, data: '{}' };
  for (const { locator, address } of [first, second]) {
    const events = await world.read(keys.alice, world.connector.approve({ locator, ...request }));
    expect(events).toMatchObject([{ type: 'approval', pool: null, address, subject: `${keys.alice}:${keys.bob}` }]);
  }
});
