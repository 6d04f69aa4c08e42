import type { FlagsOf } from '../flag-types.js';
import type { tailFlags } from './flags.js';
import type { Client } from '../../client/client.js';
import type { Start } from '../../client/stream.js';
import type { EventFilters } from './filters.js';
import { newestMatches, newestSequence, firstSince } from './past-events.js';
import { timeWord } from '../terminal/time-word.js';

type StartFlags = Pick<FlagsOf<typeof tailFlags>, 'since' | 'lines'>;

/** Determines the start at a node, always as a sequence, so that a late connection misses nothing. */
export type FindStart = (client: Client) => Promise<Start>;

/** Resolves `--since` and `-n`; `note` is called if the search was incomplete. @throws CliError USAGE */
export function startFinder(
  { since, lines }: StartFlags,
  filters: EventFilters,
  note: (text: string) => Promise<void>,
): FindStart {
  if (lines !== undefined) return (client) => startOfLast(client, lines, filters, note);
  if (since === undefined || since === 'newest') return newestSequence;
  if (since === 'oldest') return () => Promise.resolve('oldest');
  if (/^\d{1,15}$/.test(since)) return () => Promise.resolve(Number(since));
  const time = timeWord(since, '--since', Date.now(), 'newest, oldest, a sequence number, ');
  return async (client) => {
    const newest = await newestSequence(client);
    const first = await firstSince(client, time);
    return first === undefined ? newest : first - 1;
  };
}

async function startOfLast(
  client: Client,
  count: number,
  filters: EventFilters,
  note: (text: string) => Promise<void>,
): Promise<Start> {
  const newest = await newestSequence(client);
  const { sequences, isCut } = await newestMatches(client, { filters, count, behind: -1 });
  if (isCut) await note(`# only ${sequences.length} of the events before this match, as far as was looked back`);
  const earliest = sequences.at(-1);
  return earliest === undefined ? newest : earliest - 1;
}
