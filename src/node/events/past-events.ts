import { readSubscription } from '../../domain/events/subscription.js';
import type { Database } from '../../ports/database.js';
import type { SubscriptionRow } from '../../ports/tables/messaging-tables.js';
import type { EventRow } from '../../ports/tables/tables.js';
import { type Test, atLeast, atMost, both } from '../../ports/tables/where.js';
import { comparerOf, testOf } from '../../wire/lists/condition.js';
import { ServiceError } from '../../wire/errors/error.js';
import { fields } from '../../wire/lists/fields.js';
import { readListQuery } from '../../wire/lists/list.js';
import { newestFirst } from '../lists/collection.js';
import type { Listed } from '../requests/handler.js';

/** Maximum number of events that one request examines. */
const maxRange = 1_000;

/**
 * Lists past events that match a subscription, by the filters and controls of a list (docs/api.md §14.1): of the
 * requested sequences, both inclusive, otherwise of the newest of its namespace.
 *
 * @throws ServiceError events_too_wide, events_not_numbers, those of `readListQuery`
 */
export async function listPastEvents(
  database: Database,
  { namespace, filter, options }: Pick<SubscriptionRow, 'namespace' | 'filter' | 'options'>,
  parameters: ReadonlyMap<string, readonly string[]>,
): Promise<Listed<EventRow[]>> {
  const page = readListQuery(parameters, fields.events, newestFirst);
  const { sequence, newestFirst: isFromEnd } = readRange(parameters);
  const rows = await database.rows('events', { namespace, sequence }, { limit: maxRange, newestFirst: isFromEnd });
  const isWanted = readSubscription({ filter, options }).filter;
  const isListed = testOf({ is: 'all', of: page.where });
  const chosen = rows.filter((row) => isWanted(row) && isListed({ ...row }));
  const order = comparerOf([...page.sort, { field: 'sequence', descending: page.sort.at(-1)?.descending ?? false }]);
  const items = chosen.toSorted((a, b) => order({ ...a }, { ...b })).slice(page.skip, page.skip + page.limit);
  return { items, total: page.isCounted ? chosen.length : undefined };
}

interface Range {
  readonly sequence: Test<number>;
  readonly newestFirst: boolean;
}

/** Reads the range: without an end the first events from the start, without a start the last events up to the end. */
function readRange(parameters: ReadonlyMap<string, readonly string[]>): Range {
  const [start, end] = [readSequence(parameters, 'startsequence'), readSequence(parameters, 'endsequence')];
  if (start !== undefined && end !== undefined && end - start >= maxRange) {
    throw new ServiceError('events_too_wide', { max: maxRange, actual: end - start + 1 });
  }
  const sequence = both(atLeast(start ?? 0), atMost(end ?? Number.MAX_SAFE_INTEGER));
  return { sequence, newestFirst: start === undefined };
}

function readSequence(parameters: ReadonlyMap<string, readonly string[]>, field: string): number | undefined {
  const text = parameters.get(field)?.at(-1);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) throw new ServiceError('events_not_numbers', { field, actual: text });
  return Number(text);
}
