import type { Database } from '../../ports/database.js';
import { above, present, startingWith, type Test } from '../../ports/tables/where.js';

const maxRead = 1_000;

/**
 * The directories directly below `parent`, which may be given with or without slashes around it, in the labels of a
 * namespace's blobs; sorted, without duplicates.
 */
export async function subPaths(database: Database, namespace: string, parent: string): Promise<string[]> {
  const directory = pathOf(parent);
  const start = `${directory}/`;
  // Items of earlier versions have paths without the first slash.
  const tests = directory === '/' ? [present] : [startingWith(start), startingWith(start.slice(1))];
  const paths = await Promise.all(tests.map((each) => pathsThat(database, namespace, each)));
  const found = new Set(paths.flat().map(pathOf));
  return [...found].filter((path) => path !== directory).sort();
}

function pathOf(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '');
  return `/${segments.join('/')}`;
}

async function pathsThat(database: Database, namespace: string, isBelow: Test<string>): Promise<string[]> {
  const found = new Set<string>();
  for (let after = 0, isWhole = false; !isWhole;) {
    const rows = await database.rows(
      'data',
      { namespace, blobHash: present, blobPath: isBelow, sequence: above(after) },
      { limit: maxRead },
    );
    for (const { blobPath } of rows) if (blobPath !== null) found.add(blobPath);
    after = rows.at(-1)?.sequence ?? after;
    isWhole = rows.length < maxRead;
  }
  return [...found];
}
