import { definitionTopic, systemNamespace } from '../../domain/network/identity.js';
import type { Database } from '../../ports/database.js';
import type { MessageRow } from '../../ports/tables/tables.js';
import { comparerOf } from '../../wire/lists/condition.js';
import type { Message } from '../../wire/messages/message.js';
import { type Condition, equal, type Query, type Sort, totalOrder } from '../../wire/lists/query.js';
import { withStoredKeys } from './definition-keys.js';
import type { Collection, CountRequest, PageRequest } from '../lists/collection.js';

/** More definitions of a namespace are not merged into its messages; the system namespace lists all of them. */
const maxDefinitions = 2_000;

/** Undecided messages first, newest first; then decided ones by time of decision (docs/api.md §8.2). */
const undecidedFirst: readonly Sort[] = [
  { field: 'rank', descending: true },
  { field: 'sequence', descending: true },
];

/**
 * The messages of a namespace, together with the definitions for it from the system namespace: clients of FireFly look
 * for them here. A page is merged from the namespace's own messages and the definitions, up to the end of the page.
 */
export function messageCollection(
  database: Database,
  show: (rows: readonly MessageRow[], request: PageRequest) => Promise<Message[]>,
): Collection<Message> {
  return {
    order: undecidedFirst,

    async page(request) {
      const { namespace, skip, limit, signal } = request;
      const sort = totalOrder(request.sort);
      const end = skip + limit;
      // Later definitions come after the page, whatever messages are in between.
      const wanted = { where: request.where, sort, limit: end };
      const definitions = await findDefinitions(database, { namespace, signal }, wanted);
      // All messages before the page may be definitions.
      const start = Math.max(0, skip - definitions.length);
      const rest = { namespace, where: ownConditions(request), sort, skip: start, limit: end - start };
      const own = await database.lists.find('messages', rest, signal);
      if (definitions.length === 0) return show(own, request);
      return show(merge(own, definitions, { sort, start, skip, limit }), request);
    },

    async count(request) {
      const { namespace, signal } = request;
      const [own, definitions] = await Promise.all([
        database.lists.count('messages', { namespace, where: ownConditions(request) }, signal),
        countDefinitions(database, request),
      ]);
      return own + definitions;
    },
  };
}

/**
 * A page of both, in one order. `start` own rows precede those that were read; no definition before these belongs to
 * the page, since the page begins after as many rows as there are definitions.
 */
function merge(
  own: readonly MessageRow[],
  definitions: readonly MessageRow[],
  { start, skip, limit, sort }: Required<Omit<Query, 'where'>> & { readonly start: number },
): MessageRow[] {
  const compare = comparerOf(sort);
  const rows = [...own, ...definitions].map((row) => ({ row, fields: { ...row } }));
  rows.sort((a, b) => compare(a.fields, b.fields));
  return rows.slice(skip - start, skip - start + limit).map(({ row }) => row);
}

/** All messages of the system namespace are definitions. */
function ownConditions({ namespace, where }: CountRequest): readonly Condition[] {
  return namespace === systemNamespace ? where.map((each) => withStoredKeys(each, undefined)) : where;
}

function definitionsFor(namespace: string, where: readonly Condition[]): readonly Condition[] {
  const topic = definitionTopic(namespace);
  const ofTopic: Condition = { field: 'topics', is: 'has', of: equal('value', topic) };
  return [equal('type', 'definition'), ofTopic, ...where.map((each) => withStoredKeys(each, topic))];
}

async function findDefinitions(
  database: Database,
  { namespace, signal }: Pick<CountRequest, 'namespace' | 'signal'>,
  { where, sort, limit }: Query,
): Promise<readonly MessageRow[]> {
  if (namespace === systemNamespace) return [];
  const wanted = definitionsFor(namespace, where);
  const query = { where: wanted, sort, limit: Math.min(limit, maxDefinitions) };
  return database.lists.find('messages', { namespace: systemNamespace, ...query }, signal);
}

async function countDefinitions(database: Database, { namespace, where, signal }: CountRequest): Promise<number> {
  if (namespace === systemNamespace) return 0;
  const wanted = definitionsFor(namespace, where);
  return database.lists.count('messages', { namespace: systemNamespace, where: wanted }, signal);
}
