import type { Reader } from '../../ports/database.js';
import type { TableName, Tables } from '../../ports/tables/tables.js';
import { among, oldestFirst } from '../../wire/lists/query.js';
import { createSharedRun } from '../shared-run.js';

/** Finds a row of a namespace by a value; the read begins after the call. */
export type Lookup<T extends TableName> = (namespace: string, value: string) => Promise<Tables[T] | undefined>;

interface Question {
  readonly namespace: string;
  readonly value: string;
}

/**
 * Creates a lookup by a column that is unique within a namespace. Calls during a read share the next one, so many
 * concurrent requests cost few reads.
 */
export function createLookup<T extends TableName>(
  database: Reader,
  table: T,
  field: keyof Tables[T] & string,
): Lookup<T> {
  let asked: Question[] = [];

  const read = createSharedRun(async () => {
    const together = asked;
    asked = [];
    const found = new Map<string, Tables[T]>();
    for (const namespace of new Set(together.map((question) => question.namespace))) {
      const own = together.filter((question) => question.namespace === namespace);
      const values = [...new Set(own.map(({ value }) => value))];
      const query = { namespace, where: [among(field, values)], sort: oldestFirst, limit: values.length } as const;
      for (const row of await database.find(table, query)) {
        found.set(keyOf({ namespace, value: String(row[field]) }), row);
      }
    }
    return found;
  });

  return async (namespace, value) => {
    asked.push({ namespace, value });
    return (await read()).get(keyOf({ namespace, value }));
  };
}

/** Namespaces contain no space. */
function keyOf({ namespace, value }: Question): string {
  return `${namespace} ${value}`;
}
