import type { Database } from '../../../ports/database.js';
import type { BatchRow } from '../../../ports/tables/tables.js';
import { exactMessages, referenceKey } from './exact.js';

/** Returns the contexts of a batch in the order of its manifest, as pinned on chain. */
export async function readContexts(database: Database, { manifest }: Pick<BatchRow, 'manifest'>): Promise<string[]> {
  const entries = manifest ?? [];
  const messages = await exactMessages(database, entries);
  return entries.flatMap((entry) => messages.get(referenceKey(entry))?.pins ?? []);
}
