import type { FlagsOf } from '../flag-types.js';
import type { tailFlags } from './flags.js';
import type { Client } from '../../client/client.js';
import { UnreachableError } from '../../client/errors.js';
import type { Start } from '../../client/events/stream.js';
import type { EventFilters } from './filters.js';
import { type Found, firstSince, newestMatches, newestSequence, type PastEvent } from './past-events.js';
import { within } from '../duration.js';
import { timeWord } from '../terminal/time-word.js';

type StartFlags = Pick<FlagsOf<typeof tailFlags>, 'since' | 'lines'>;

/** The part of a node's events that has happened before the command. */
export interface Past {
  /** Always a sequence, or all events, so that a late connection misses nothing. */
  readonly start: Start;
  /** Sequence of the last matching event behind the start; undefined if there is none, or it was not found. */
  readonly last: number | undefined;
}

/**
 * Determines the start at a node. One that is late was away when the command began: what it has had since then counts
 * as new there.
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
  const begun = new Date().toISOString();
  if (lines !== undefined) return startOfLast(lines, search, begun);
  if (since === undefined || since === 'newest') {
    return async (client, isLate) => ({
      start: await (isLate ? sequenceBefore(client, begun) : newestSequence(client)),
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

/** The sequence behind which a node has the events since a time. */
async function sequenceBefore(client: Client, time: string): Promise<number> {
  const newest = await newestSequence(client);
  const first = await firstSince(client, time);
  return first === undefined ? newest : first - 1;
}

/** How long the last events of all nodes are searched without the answer of one. */
const patienceMs = 1_000;

function startOfLast(count: number, { filters, clients, note }: Search, begun: string): FindStart {
  const lookUp = async (client: Client): Promise<Looked> => {
    const newest = await newestSequence(client);
    return { newest, ...(await newestMatches(client, { filters, count, behind: -1 })) };
  };
  let all: Promise<readonly (Looked | undefined)[]> | undefined;
  return async (client, isLate) => {
    all ??= Promise.all(clients.map((each) => within(patienceMs, lookUp(each).catch(unreachable))));
    const looked = await all;
    const index = clients.indexOf(client);
    // A node that did not answer in time is asked again, and shows as many events as if it were alone.
    const own = looked[index];
    const { newest, events, isCut } = own ?? (await lookUp(client));
    const shown = own === undefined ? events.length : (lastOfAll(looked, count)[index] ?? 0);
    if (isCut) await note(`# only ${events.length} of the events before this match, as far as was looked back`);
    const earliest = events.slice(0, shown).at(-1);
    const latest = isLate ? await sequenceBefore(client, begun) : newest;
    return earliest === undefined
      ? { start: latest, last: undefined }
      : { start: Math.min(earliest.sequence - 1, latest), last: events[0]?.sequence };
  };
}

interface Looked extends Found {
  /** Sequence of the newest event, whether it matches or not. */
  readonly newest: number;
}

function unreachable(error: unknown): undefined {
  if (!(error instanceof UnreachableError)) throw error;
  return undefined;
}

/** How many of each list, all newest first, are among the newest `count` of all. */
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
