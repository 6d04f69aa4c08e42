import { setTimeout as sleep } from 'node:timers/promises';
import { ClientError, UnreachableError } from '../../client/errors.js';
import type { EventItem } from '../../client/events/deliveries.js';
import type { Start, StreamItem } from '../../client/events/stream.js';
import type { DeliveredEvent } from '../../wire/events/event.js';
import type { EventFilters } from './filters.js';
import { CliError } from '../errors/exit.js';
import type { Output } from '../terminal/output.js';
import { firstFrom, newestMatches } from './past-events.js';
import type { PartyNode } from '../requests/target.js';
import { plural, safe } from '../terminal/text.js';

/** Notes on stderr about the connections of an event stream. */
export interface ConnectionNotes {
  /** @throws CliError UNHEALTHY if a node's events have started over; ServiceError, ClientError */
  changed(party: PartyNode, item: Exclude<StreamItem, EventItem>): Promise<void>;
  /** Records that an event was processed. */
  passed(party: PartyNode, event: DeliveredEvent): Promise<void>;
}

/** Events that happened while the stream was disconnected. */
interface Gap {
  /** Sequence of the last of them. */
  readonly until: number;
  /** Number of those that have arrived. */
  count: number;
}

/**
 * Creates the notes. A lost connection is reported once, however often it is retried, and after the reconnect the
 * number of missed events is reported, unless `filters` is undefined, as for a durable subscription.
 */
export function createConnectionNotes({
  output,
  filters,
}: {
  readonly output: Output;
  readonly filters: EventFilters | undefined;
}): ConnectionNotes {
  const away = new Set<PartyNode>();
  const gaps = new Map<PartyNode, Gap>();
  const latest = new Map<PartyNode, DeliveredEvent>();
  const note = (text: string) => output.note(output.err.paint('dim', `# ${safe(text)}`));

  async function reconnected(party: PartyNode, position: Start): Promise<Gap | undefined> {
    const { client, name } = party;
    await note(`connected to ${name} again`);
    const behind = typeof position === 'number' ? position : -1;
    await requireSameEvents(party, behind, latest.get(party));
    if (filters === undefined) return undefined;
    const [last] = (await newestMatches(client, { filters, count: 1, behind })).events;
    return last === undefined ? undefined : { until: last.sequence, count: 0 };
  }

  return {
    async changed(party, item) {
      if (item.kind === 'lost') {
        if (!away.has(party)) await note(`no connection to ${party.name} (${item.reason}); trying again`);
        away.add(party);
      } else if (item.kind === 'open') {
        const wasLost = away.delete(party);
        const isShown = wasLost || output.isVerbose || (output.err.isTerminal && !output.isJson);
        if (isShown) await note(`following ${party.name}`);
      } else if (item.kind === 'reopen') {
        away.delete(party);
        try {
          const gap = await reconnected(party, item.after);
          if (gap !== undefined) gaps.set(party, { ...gap, count: gaps.get(party)?.count ?? 0 });
        } catch (error) {
          // The stream reports that the node is unreachable again.
          if (!(error instanceof UnreachableError)) throw error;
        }
      }
    },
    async passed(party, event) {
      const { sequence } = event;
      latest.set(party, event);
      const gap = gaps.get(party);
      if (gap === undefined) return;
      if (sequence <= gap.until) gap.count++;
      if (sequence < gap.until) return;
      gaps.delete(party);
      await note(`${plural(gap.count, 'missed event')} received from ${party.name}`);
    },
  };
}

/**
 * Checks that a node's sequence of events, read up to `behind`, has not started over: it would be shorter than before,
 * or the last sequence that of another event. A rebuild only leaves gaps.
 *
 * @throws CliError UNHEALTHY if it has; ClientError, UnreachableError
 */
export async function requireSameEvents(
  { client, name }: Pick<PartyNode, 'client' | 'name'>,
  behind: number,
  last: Pick<DeliveredEvent, 'sequence' | 'id'> | undefined,
): Promise<void> {
  if (behind <= 0) return;
  const first = await firstFrom(client, behind);
  if (first !== undefined && (first.sequence !== last?.sequence || first.id === last.id)) return;
  throw new CliError('UNHEALTHY', `The events of ${name} have started over: its stack was reset or restored.`);
}

/** Runs a read from a party's node, and may repeat it. */
export type ReadFrom = <Value>(party: PartyNode, read: () => Promise<Value>) => Promise<Value>;

const retryMs = 500;

/**
 * Creates a `ReadFrom` that repeats a read while the node is away, until the signal aborts.
 *
 * @throws the signal's reason; any other error of the read and of `find` of its address
 */
export function createRetryingRead(notes: Pick<ConnectionNotes, 'changed'>, signal: AbortSignal): ReadFrom {
  return async (party, read) => {
    for (let isRetry = false; ; isRetry = true) {
      try {
        if (isRetry) await party.address?.find();
        return await read();
      } catch (error) {
        signal.throwIfAborted();
        if (!isAway(error)) throw error;
        await notes.changed(party, { kind: 'lost', reason: error.message, retryMs });
      }
      await sleep(retryMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  };
}

/** Whether a node cannot be reached, or is about to stop. */
export function isAway(error: unknown): error is Error {
  return error instanceof UnreachableError || (error instanceof ClientError && error.status === 503);
}
