import type { Database } from '../../ports/database.js';
import { above, present, startingWith } from '../../ports/tables/where.js';

const maxRead = 1_000;

/** The directories below `parent` in the labels of a namespace's blobs, sorted, without duplicates. */
export async function subPaths(database: Database, namespace: string, parent: string): Promise<string[]> {
  const found = new Set<string>();
  for (let after = 0, isWhole = false; !isWhole;) {
    const rows = await database.rows(
      'data',
      {
        namespace,
        blobHash: present,
        blobPath: startingWith(parent.endsWith('/') ? parent : `${parent}/`),
        sequence: above(after),
      },
      { limit: maxRead },
    );
    for (const { blobPath } of rows) if (blobPath !== null && blobPath !== parent) found.add(blobPath);
    after = rows.at(-1)?.sequence ?? after;
    isWhole = rows.length < maxRead;
  }
  return [...found].sort();
}
