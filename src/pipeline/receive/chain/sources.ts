import type { LogSelection, LogSource } from '../../../ports/blockchain.js';
import type { SourceRow } from '../../../ports/tables/contract-tables.js';
import type { Database, Reader } from '../../../ports/database.js';
import { every } from '../../../ports/tables/where.js';

/** The contracts that the chain reader follows besides the network's own, in memory. */
export interface Sources {
  selection(): LogSelection;
  /** Reads the rows again; new sources are read from the chain at once. */
  refresh(): Promise<void>;
}

/** Creates an empty selection; call `refresh` before use. */
export function createSources(database: Database): Sources {
  let superseding = new AbortController();
  let current: LogSelection = { revision: 0, sources: [], superseded: superseding.signal };
  return {
    selection: () => current,
    async refresh() {
      const rows = await readSources(database);
      const revision = rows.at(-1)?.sequence ?? 0;
      // After a removed row the revision is lower or the same; pages read without that row lack nothing.
      if (revision <= current.revision) return;
      const before = superseding;
      superseding = new AbortController();
      current = { revision, sources: merged(rows), superseded: superseding.signal };
      before.abort('superseded');
    },
  };
}

/** Returns the current revision. Pages read with a lower one lack the sources added since. */
export async function revisionOf(reader: Reader): Promise<number> {
  const newest = await reader.last('sources', { namespace: every });
  return newest?.sequence ?? 0;
}

function readSources(database: Database): Promise<readonly SourceRow[]> {
  return database.rows('sources', { namespace: every }, { limit: maxSources });
}

function merged(rows: readonly SourceRow[]): readonly LogSource[] {
  const contracts = new Map<string | null, { readonly topics: Set<string>; withInput: boolean }>();
  for (const { address, topics, withInput } of rows) {
    const known = contracts.get(address) ?? { topics: new Set(), withInput: false };
    for (const topic of topics) known.topics.add(topic);
    known.withInput ||= withInput;
    contracts.set(address, known);
  }
  return [...contracts].map(([address, { topics, withInput }]) => ({
    address,
    topics: [...topics],
    ...(withInput && { withInput }),
  }));
}

/** More pools and listeners than a node may have. */
const maxSources = 100_000;
