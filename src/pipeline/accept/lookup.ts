import { createSharedRun } from '../shared-run.js';

/** Finds a row of a namespace by a value; the read begins after the call. */
export type Lookup<Row> = (namespace: string, value: string) => Promise<Row | undefined>;

interface LookupParts<Row> {
  /** Reads the rows of a namespace that have one of these values in a column that is unique within a namespace. */
  readonly read: (namespace: string, values: readonly string[]) => Promise<readonly Row[]>;
  readonly valueOf: (row: Row) => string | null;
}

interface Question {
  readonly namespace: string;
  readonly value: string;
}

/** Creates a lookup. Calls during a read share the next one, so many concurrent requests cost few reads. */
export function createLookup<Row>({ read, valueOf }: LookupParts<Row>): Lookup<Row> {
  let asked: Question[] = [];

  const readTogether = createSharedRun(async () => {
    const together = asked;
    asked = [];
    const found = new Map<string, Row>();
    for (const namespace of new Set(together.map((question) => question.namespace))) {
      const own = together.filter((question) => question.namespace === namespace);
      const values = [...new Set(own.map(({ value }) => value))];
      for (const row of await read(namespace, values)) found.set(keyOf({ namespace, value: valueOf(row) ?? '' }), row);
    }
    return found;
  });

  return async (namespace, value) => {
    asked.push({ namespace, value });
    return (await readTogether()).get(keyOf({ namespace, value }));
  };
}

/** Namespaces contain no space. */
function keyOf({ namespace, value }: Question): string {
  return `${namespace} ${value}`;
}
