import type { FlagsOf } from '../flag-types.js';
import type { tailFlags } from './flags.js';
import type { Client } from '../../client/client.js';
import { UnreachableError } from '../../client/errors.js';
import type { Start } from '../../client/events/stream.js';
import type { EventFilters } from './filters.js';
import { type Found, firstSince, maxSearched, newestMatches, newestSequence, type PastEvent } from './past-events.js';
import { within } from '../duration.js';
import { timeWord } from '../terminal/time-word.js';

type StartFlags = Pick<FlagsOf<typeof tailFlags>, 'since' | 'lines'>;

/** The start of a stream, and the past events behind it. */
export interface Past {
  /** A sequence, or all events, so that a late connection misses nothing. */
  readonly start: Start;
  /** Sequence of the last past event that matches; undefined if none was found. */
  readonly last: number | undefined;
}

/**
 * Determines the start at a node. `isLate`: the node was away when the command began, so its events since then are new.
 */
export type FindStart = (client: Client, isLate: boolean) => Promise<Past>;

interface Search {
  readonly filters: EventFilters;
  /** The nodes that are followed together. */
  readonly clients: readonly Client[];
  /** Reports that a search was incomplete. */
  readonly note: (text: string) => Promise<void>;
}

/** Resolves `--since` and `-n`, which counts the events of all nodes together. @throws CliError USAGE */
export function startFinder({ since, lines }: StartFlags, search: Search): FindStart {
  const startedAt = new Date().toISOString();
  if (lines !== undefined) return startOfLast(lines, search, startedAt);
  if (since === undefined || since === 'newest') {
    return async (client, isLate) => ({
      start: await (isLate ? sequenceBefore(client, startedAt) : newestSequence(client)),
      last: undefined,
    });
  }
  const { filters } = search;
  const behind = async (client: Client, start: Start): Promise<Past> => {
    const first = typeof start === 'number' ? start : -1;
    const [last] = (await newestMatches(client, { filters, count: 1, behind: first })).events;
    return { start, last: last?.sequence };
  };
  if (since === 'oldest') return (client) => behind(client, 'oldest');
  if (/^\d{1,15}$/.test(since)) return (client) => behind(client, Number(since));
  const time = timeWord(since, '--since', Date.now(), 'newest, oldest, a sequence number, ');
  return async (client) => behind(client, await sequenceBefore(client, time));
}

/** The sequence that precedes a node's first event since a time. */
async function sequenceBefore(client: Client, time: string): Promise<number> {
  const newest = await newestSequence(client);
  const first = await firstSince(client, time);
  return first === undefined ? newest : first - 1;
}

/** The longest time for which the search in the last events of all nodes waits for one node. */
const lookUpMs = 1_000;

function startOfLast(count: number, { filters, clients, note }: Search, startedAt: string): FindStart {
  const lookUp = async (client: Client): Promise<LastEvents> => {
    const newest = await newestSequence(client);
    return { newest, ...(await newestMatches(client, { filters, count, behind: -1 })) };
  };
  let all: Promise<readonly (LastEvents | undefined)[]> | undefined;
  return async (client, isLate) => {
    all ??= Promise.all(clients.map((each) => within(lookUpMs, lookUp(each).catch(unreachable))));
    const lists = await all;
    const index = clients.indexOf(client);
    // A node that did not answer in time is asked again, and shows as many events as a single node.
    const own = lists[index];
    const { newest, events, isCut } = own ?? (await lookUp(client));
    const shown = own === undefined ? events.length : (lastOfAll(lists, count)[index] ?? 0);
    if (isCut) await note(`# found only ${events.length} matching events among the newest ${maxSearched}`);
    const earliest = events.slice(0, shown).at(-1);
    const latest = isLate ? await sequenceBefore(client, startedAt) : newest;
    return earliest === undefined
      ? { start: latest, last: undefined }
      : { start: Math.min(earliest.sequence - 1, latest), last: events[0]?.sequence };
  };
}

interface LastEvents extends Found {
  /** Sequence of the newest event, whether it matches or not. */
  readonly newest: number;
}

function unreachable(error: unknown): undefined {
  if (!(error instanceof UnreachableError)) throw error;
  return undefined;
}

/** Number of events of each list that are among the newest `count` of all lists. Lists are newest first. */
export function lastOfAll(
  lists: readonly ({ readonly events: readonly Pick<PastEvent, 'created'>[] } | undefined)[],
  count: number,
): readonly number[] {
  const taken = lists.map(() => 0);
  for (let left = count; left > 0; left--) {
    let newest: { readonly created: string; readonly index: number } | undefined;
    for (const [index, list] of lists.entries()) {
      const created = list?.events[taken[index] ?? 0]?.created;
      if (created !== undefined && (newest === undefined || created >= newest.created)) newest = { created, index };
    }
    if (newest === undefined) return taken;
    taken[newest.index] = (taken[newest.index] ?? 0) + 1;
  }
  return taken;
}
