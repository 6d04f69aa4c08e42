import type { DataExchange } from '../ports/data-exchange.js';
import type { Database } from '../ports/database.js';
import { above } from '../ports/tables/where.js';
import type { Step } from './loop.js';

export interface AdmitParts {
  readonly database: Database;
  readonly dataExchange: DataExchange;
}

const pageSize = 500;
/** The registry's value for a node without certificate. */
const noPublicKeyHash = '0'.repeat(64);

/**
 * Returns the step that allows connections from exactly the nodes in the registry (docs/protocol.md §11.1). It runs
 * when the registry may have changed; keys that are no longer registered lose their connections.
 */
export function createAdmitStep({ database, dataExchange }: AdmitParts): () => Promise<Step> {
  return async () => {
    dataExchange.admit(await readPublicKeyHashes(database));
    return { hasWorked: false, rings: [] };
  };
}

async function readPublicKeyHashes(database: Database): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>();
  for (let after = 0, isWhole = false; !isWhole;) {
    const rows = await database.rows('identities', { type: 'node', sequence: above(after) }, { limit: pageSize });
    for (const { publicKeyHash } of rows) {
      if (publicKeyHash !== null && publicKeyHash !== noPublicKeyHash) hashes.add(publicKeyHash);
    }
    after = rows.at(-1)?.sequence ?? after;
    isWhole = rows.length < pageSize;
  }
  return hashes;
}
