import { createErc1155, type Erc1155Options } from '../../adapters/token-connector/erc1155.js';
import { createErc20Erc721 } from '../../adapters/token-connector/erc20-erc721.js';
import type { TokenConnector } from '../../ports/token-connector.js';
import type { ConnectorName } from '../../wire/tokens/connector.js';
import type { Contracts, NodeConfig } from '../config.js';

const factories: Readonly<Record<ConnectorName, (options: Erc1155Options) => TokenConnector>> = {
  erc1155: createErc1155,
  erc20_erc721: createErc20Erc721,
};

/** The contracts of the configured connectors; undefined while one of them is unknown. */
export function addressesOf(
  { tokens }: NodeConfig,
  { tokens: known = [] }: Contracts,
): Map<string, string> | undefined {
  const addresses = new Map(
    tokens.map(({ name, address }) => [name, address ?? known.find((each) => each.name === name)?.address] as const),
  );
  const found = [...addresses].flatMap(([name, address]) => (address === undefined ? [] : [[name, address] as const]));
  return found.length === addresses.size ? new Map(found) : undefined;
}

/** Creates the token connectors of a node by name, the default one first. @throws Error while a contract is unknown */
export function openConnectors(config: NodeConfig, contracts: Contracts): ReadonlyMap<string, TokenConnector> {
  const addresses = addressesOf(config, contracts);
  if (addresses === undefined) throw new Error('The contract of a token connector is not known.');
  return new Map(
    config.tokens.map(({ name }) => {
      const firstBlock = contracts.network.block;
      const address = (addresses.get(name) ?? '').toLowerCase();
      return [name, factories[name]({ address, firstBlock })] as const;
    }),
  );
}
