import type { Client } from '../../client/client.js';
import type { Start } from '../../client/stream.js';
import type { EventFilters } from './filters.js';
import { newestMatches, newestSequence, firstSince } from './past-events.js';
import { timeWord } from '../time-word.js';

export interface StartWords {
  /** `newest`, `oldest`, `5m`, a time, or the sequence of the last event that counts as seen. */
  readonly since?: string | undefined;
  /** So many matching events of the past first. */
  readonly lines?: number | undefined;
}

/**
 * Finds out at a node where to begin, always as a place in its sequence: so no connection, however late it is made,
 * misses anything.
 */
export type FindStart = (client: Client) => Promise<Start>;

/** What `--since` and `-n` mean; `note` hears what cannot be found. @throws CliError USAGE */
export function startFinder(
  { since, lines }: StartWords,
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
