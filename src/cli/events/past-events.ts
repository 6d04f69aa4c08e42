import type { Client } from '../../client/client.js';
import { readAll, readPage, type RecordOf } from '../../client/page.js';
import { compileFilter } from '../../domain/events/filter.js';
import { filterableOf } from '../../domain/events/filter-fields.js';
import type { EventFilters } from './filters.js';

/** Maximum number of events that are searched, from the newest back. */
export const maxSearched = 10_000;

type Event = RecordOf<'listEvents'>;

/** Sequence of the newest event of the namespace; 0 before the first. @throws ClientError, UnreachableError */
export async function newestSequence(client: Client): Promise<number> {
  return (await newestEvent(client))?.sequence ?? 0;
}

/** The newest event of the namespace; undefined before the first. @throws ClientError, UnreachableError */
export async function newestEvent(client: Client): Promise<Event | undefined> {
  const { entries } = await readPage(client, 'listEvents', [['limit', '1'], newestFirst]);
  return entries[0]?.value;
}

export type PastEvent = Pick<Event, 'sequence' | 'created'>;

/** The result of a search in past events. */
export interface Found {
  /** The matching events, newest first. */
  readonly events: readonly PastEvent[];
  /** Whether there may be more, because the search ended at `maxSearched`. */
  readonly isCut: boolean;
}

/**
 * Finds the newest matching events after a sequence, at most `count`, by the same rules as a node's delivery.
 *
 * @throws ServiceError for an invalid expression; ClientError, UnreachableError
 */
export async function newestMatches(
  client: Client,
  { filters, count, behind }: { readonly filters: EventFilters; readonly count: number; readonly behind: number },
): Promise<Found> {
  if (count === 0) return { events: [], isCut: false };
  const after = [['sequence', `[>${behind}`] as const];
  if (Object.keys(filters).length === 0) {
    const { entries } = await readPage(client, 'listEvents', [...after, ['limit', String(count)], newestFirst]);
    return { events: entries.map(({ value }) => value), isCut: false };
  }
  const matches = compileFilter(new Map(Object.entries(filters)));
  const found: PastEvent[] = [];
  let searched = 0;
  const keys = { id: ({ id }: Event) => id, field: 'sequence', key: ({ sequence }: Event) => String(sequence) };
  for await (const page of readAll(client, 'listEvents', [...after, ['fetchreferences', 'true']], keys)) {
    found.push(...page.map(({ value }) => value).filter((event) => matches(filterableOf(event))));
    searched += page.length;
    if (found.length >= count) return { events: found.slice(0, count), isCut: false };
    if (searched >= maxSearched) return { events: found, isCut: true };
  }
  return { events: found, isCut: false };
}

/**
 * Searches one page of events after another one, or from the first on, for a match of any filter. Returns the last
 * event searched.
 *
 * @throws ServiceError for an invalid expression; ClientError, UnreachableError
 */
export async function nextMatch(
  client: Client,
  { filters, last }: { readonly filters: readonly EventFilters[]; readonly last: Event | undefined },
): Promise<{ readonly isFound: boolean; readonly last: Event | undefined }> {
  const all = filters.map((each) => compileFilter(new Map(Object.entries(each))));
  const { entries } = await readPage(client, 'listEvents', [
    ['sequence', `[>${last?.sequence ?? 0}`],
    ['sort', 'sequence'],
    ['limit', '100'],
    ['fetchreferences', 'true'],
  ]);
  const isFound = entries.some(({ value }) => all.some((matches) => matches(filterableOf(value))));
  return { isFound, last: entries.at(-1)?.value ?? last };
}

/** The first event from a sequence on; undefined if there is none. @throws ClientError, UnreachableError */
export async function firstFrom(client: Client, sequence: number): Promise<Event | undefined> {
  const parameters = [['sequence', `[>=${sequence}`] as const, ['sort', 'sequence'] as const, ['limit', '1'] as const];
  return (await readPage(client, 'listEvents', parameters)).entries[0]?.value;
}

/** Sequence of the first event since a time; undefined if there is none. @throws ClientError, UnreachableError */
export async function firstSince(client: Client, time: string): Promise<number | undefined> {
  const parameters = [
    ['created', `[>=${time}`],
    ['sort', 'sequence'],
    ['limit', '1'],
  ] as const;
  const { entries } = await readPage(client, 'listEvents', parameters);
  return entries[0]?.value.sequence;
}

const newestFirst = ['sort', '-sequence'] as const;
