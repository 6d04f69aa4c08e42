import type { Database, ListQuery } from '../../ports/database.js';
import { every } from '../../ports/tables/where.js';
import type { TableName, Tables } from '../../ports/tables/tables.js';
import { comparerOf, type Fields as RowFields, testOf } from '../../wire/lists/condition.js';
import type { Condition, Sort } from '../../wire/lists/query.js';
import { namedPools } from '../tokens/pool-names.js';

/** A request for a page of a collection: conditions, order, and the request's flags. */
export interface PageRequest extends CountRequest {
  readonly sort: readonly Sort[];
  readonly skip: number;
  readonly limit: number;
  readonly flags: ReadonlyMap<string, string>;
  /** Whether one record was requested by name; it may be shown in more detail than in a list. */
  readonly isSingle: boolean;
}

export interface CountRequest {
  readonly namespace: string;
  readonly where: readonly Condition[];
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

/** Records of one kind that can be listed. */
export interface Collection<Shown> {
  /** The default order. */
  readonly order: readonly Sort[];
  page(request: PageRequest): Promise<readonly Shown[]>;
  count(request: CountRequest): Promise<number>;
}

export const newestFirst: readonly Sort[] = [{ field: 'sequence', descending: true }];

interface TableParts<T extends TableName, Shown> {
  readonly database: Database;
  readonly table: T;
  readonly order?: readonly Sort[];
  /** Whether the rows belong to the network as a whole and are visible in every namespace. */
  readonly isShared?: boolean;
  /** Whether its rows refer to pools by id, and requests may give names of pools instead. */
  readonly namesPools?: boolean;
  readonly show: (rows: readonly Tables[T][], request: PageRequest) => Promise<readonly Shown[]> | readonly Shown[];
}

/** Makes a collection of a table's rows. */
export function collectionOfTable<T extends TableName, Shown>(parts: TableParts<T, Shown>): Collection<Shown> {
  const { database, table, order = newestFirst, isShared = false, namesPools = false, show } = parts;
  const resolved = ({ namespace, where }: CountRequest) =>
    namesPools ? namedPools(database, namespace, where) : Promise.resolve(where);
  const scopeOf = (namespace: string): ListQuery['namespace'] => (isShared ? every : namespace);
  return {
    order,
    async page(request) {
      const { namespace, sort, skip, limit, signal } = request;
      const where = await resolved(request);
      const query: ListQuery = { namespace: scopeOf(namespace), where, sort, skip, limit };
      const rows = await database.lists.find(table, query, signal);
      return show(rows, request);
    },
    async count(request) {
      const where = await resolved(request);
      return database.lists.count(table, { namespace: scopeOf(request.namespace), where }, request.signal);
    },
  };
}

/** A record built from several rows, with the fields by which it is found. */
export interface Derived<Shown> extends RowFields {
  readonly sequence: number;
  readonly shown: Shown;
}

/**
 * Makes a collection of a few records without a table: all are built, then filtered and sorted like rows of a database.
 */
export function collectionOfRecords<Shown>(
  all: (namespace: string, flags: ReadonlyMap<string, string>) => Promise<readonly Derived<Shown>[]>,
): Collection<Shown> {
  async function chosen({ namespace, where }: CountRequest, flags: ReadonlyMap<string, string>) {
    const test = testOf({ is: 'all', of: where });
    return (await all(namespace, flags)).filter(test);
  }
  return {
    order: newestFirst,
    async page(request) {
      const { sort, skip, limit } = request;
      const rows = await chosen(request, request.flags);
      const descending = sort.at(-1)?.descending ?? false;
      const order = comparerOf([...sort, { field: 'sequence', descending }]);
      return [...rows]
        .sort(order)
        .slice(skip, skip + limit)
        .map(({ shown }) => shown);
    },
    count: async (request) => (await chosen(request, new Map())).length,
  };
}
