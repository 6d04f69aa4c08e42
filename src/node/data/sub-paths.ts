import type { Database } from '../../ports/database.js';
import type { Condition } from '../../wire/lists/query.js';
import { oldestFirst } from '../../wire/lists/query.js';

const maxRead = 1_000;

/** The directories below `parent` in the labels of a namespace's blobs, sorted, without duplicates. */
export async function subPaths(database: Database, namespace: string, parent: string): Promise<string[]> {
  const found = new Set<string>();
  const below: readonly Condition[] = [
    { field: 'blobHash', is: 'notNull' },
    { field: 'blobPath', is: 'startsWith', value: parent.endsWith('/') ? parent : `${parent}/` },
  ];
  for (let after = 0, isWhole = false; !isWhole;) {
    const where = [...below, { field: 'sequence', is: 'above', value: after } as const];
    const rows = await database.find('data', { namespace, where, sort: oldestFirst, limit: maxRead });
    for (const { blobPath } of rows) if (blobPath !== null && blobPath !== parent) found.add(blobPath);
    after = rows.at(-1)?.sequence ?? after;
    isWhole = rows.length < maxRead;
  }
  return [...found].sort();
}
