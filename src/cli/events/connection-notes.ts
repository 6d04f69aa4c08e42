import { UnreachableError } from '../../client/errors.js';
import type { EventItem } from '../../client/deliveries.js';
import type { Start, StreamItem } from '../../client/stream.js';
import type { DeliveredEvent } from '../../wire/event.js';
import type { EventFilters } from './filters.js';
import { CliError } from '../exit.js';
import type { Output } from '../output.js';
import { newestMatches, newestSequence } from './past-events.js';
import type { PartyNode } from '../target.js';
import { plural, safe } from '../text.js';

/** What is said on stderr about the connections behind a stream of events. */
export interface ConnectionNotes {
  /** @throws CliError UNHEALTHY when the events of a node have begun anew; ServiceError, ClientError */
  changed(party: PartyNode, item: Exclude<StreamItem, EventItem>): Promise<void>;
  /** An event was worked on. */
  passed(party: PartyNode, event: DeliveredEvent): Promise<void>;
}

/** Events that a node delivers late, because it was not connected when they happened. */
interface Gap {
  /** Sequence of the last of them. */
  readonly until: number;
  /** Those that have come. */
  count: number;
}

/**
 * Says once that a connection is lost, however often it is tried again, and after the reconnect how many events have
 * been filled in. A durable subscription, whose filters are not known here (undefined), goes on by itself.
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
  const say = (text: string) => output.note(output.err.paint('dim', `# ${safe(text)}`));

  async function reconnected({ client, name }: PartyNode, position: Start): Promise<Gap | undefined> {
    await say(`connected to ${name} again`);
    if (filters === undefined) return undefined;
    const behind = typeof position === 'number' ? position : -1;
    if ((await newestSequence(client)) < behind) {
      throw new CliError('UNHEALTHY', `The events of ${name} have begun anew: its stack was reset.`);
    }
    const [until] = (await newestMatches(client, { filters, count: 1, behind })).sequences;
    return until === undefined ? undefined : { until, count: 0 };
  }

  return {
    async changed(party, item) {
      if (item.kind === 'lost') {
        if (!away.has(party)) await say(`no connection to ${party.name} (${item.reason}); trying again`);
        away.add(party);
      } else if (item.kind === 'open') {
        const isWaitedFor = away.delete(party);
        const isShown = isWaitedFor || output.isVerbose || (output.err.isTerminal && !output.isJson);
        if (isShown) await say(`following ${party.name}`);
      } else if (item.kind === 'reopen') {
        away.delete(party);
        try {
          const gap = await reconnected(party, item.behind);
          if (gap !== undefined) gaps.set(party, { ...gap, count: gaps.get(party)?.count ?? 0 });
        } catch (error) {
          if (!(error instanceof UnreachableError)) throw error; // it went away again, which the stream will say
        }
      }
    },
    async passed(party, { sequence }) {
      const gap = gaps.get(party);
      if (gap === undefined) return;
      if (sequence <= gap.until) gap.count++;
      if (sequence < gap.until) return;
      gaps.delete(party);
      await say(`${plural(gap.count, 'event')} filled in at ${party.name}`);
    },
  };
}
