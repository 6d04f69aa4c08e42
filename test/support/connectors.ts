import type { TokenConnector } from '../../src/ports/token-connector.js';

/** The translators of a node on the memory ledger. */
export function memoryConnectors(): ReadonlyMap<string, TokenConnector> {
  return new Map();
}
