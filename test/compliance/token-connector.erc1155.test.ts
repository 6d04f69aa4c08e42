import { createErc1155 } from '../../src/adapters/token-connector/erc1155.js';
import { artifactOf } from '../support/contract-chain.js';
import { alice } from '../unit/devchain/support.js';
import { describeTokenConnector } from './token-connector.js';

describeTokenConnector('erc1155', async (contracts) => {
  const { address } = await contracts.deploy(alice, await artifactOf('TokenPools'));
  return createErc1155({ address: address.toLowerCase() });
});
