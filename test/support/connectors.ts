import { tokenPoolsAddress } from '../../src/adapters/blockchain/memory/chain.js';
import { createErc1155 } from '../../src/adapters/token-connector/erc1155.js';
import type { TokenConnector } from '../../src/ports/token-connector.js';

/** The connectors of a node on the memory ledger. */
export function memoryConnectors(): ReadonlyMap<string, TokenConnector> {
  const connector = createErc1155({ address: tokenPoolsAddress, firstBlock: 0 });
  return new Map([[connector.name, connector]]);
}
