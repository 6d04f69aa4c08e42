import { createErc20Erc721 } from '../../src/adapters/token-connector/erc20-erc721.js';
import { artifactOf } from '../support/contract-chain.js';
import { alice } from '../unit/devchain/support.js';
import { describeTokenConnector } from './token-connector.js';

describeTokenConnector('erc20_erc721', async (contracts) => {
  const { address } = await contracts.deploy(alice, await artifactOf('TokenFactory'));
  return createErc20Erc721({ address: address.toLowerCase() });
});
