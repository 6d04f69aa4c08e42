import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Event } from '../../../../src/wire/events/event-record.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { rangeOf } from '../../api/filter.js';
import { pageRows } from '../../api/loaded-rows.js';
import { type Rows, useRows } from '../../api/rows.js';
import type { Sorting } from '../../api/sorting.js';
import { useRangeNow } from '../../components/use-range-now.js';
import { sortingOf } from '../../components/table/columns.js';
import { maxLiveEvents } from '../../live/live.js';
import { eventColumns } from './columns.js';
import { passes } from './filter.js';
import { joinEvents } from './join-events.js';

const newestFirst: Sorting<Event> = { field: 'sequence', isDescending: true, keyOf: ({ sequence }) => sequence };

export interface EventRows extends Rows<Event> {
  /** Whether new events appear at the top. */
  readonly isTail: boolean;
  /** The number of events since the list was paused; undefined if it is not paused. */
  readonly waiting: string | undefined;
  readonly togglePause: () => void;
  /** The newest events of the namespace, oldest first. */
  readonly recent: readonly Event[];
}

/** The events of the time range: from the node, and in a live list also from the socket. */
export function useEventRows(): EventRows {
  const { live } = useExplorer();
  const { from, to, filters, sort } = usePlace();
  // Part of the subject, so that a list that is opened again is read again: the socket keeps only recent events.
  const [openedMs] = useState(() => Date.now());
  const nowMs = useRangeNow();
  const [paused, setPaused] = useState<readonly Event[] | undefined>(undefined);
  const isLive = from === undefined && to === undefined;
  const { sorting = newestFirst } = sortingOf(eventColumns, sort);
  // In any other order, only the node knows the place of a new event.
  const isTail = isLive && sorting.field === 'sequence' && sorting.isDescending;
  const listed = useRows({
    subject: isTail ? `events ${openedMs}` : 'status',
    list: 'listEvents',
    parameters: [['fetchreferences', 'true'], ...rangeOf({ from, to }, nowMs)],
    question: [from, to],
    keyOf: ({ id }) => id,
    sorting,
  });
  const came = useSyncExternalStore(live.subscribeEvents, live.events);
  const shown = paused ?? came;
  const rows = useMemo(() => {
    const all = isTail ? joinEvents(shown, listed.rows, maxLiveEvents) : listed.rows;
    return filters.length === 0 ? all : all.filter(passes(filters));
  }, [isTail, shown, listed.rows, filters]);
  useEffect(() => {
    // The filters apply to loaded events: if few pass, load more.
    if (filters.length > 0 && rows.length < pageRows) listed.more();
  }, [filters, rows.length, listed]);
  const isCut = isTail && shown.length >= maxLiveEvents;
  const newest = paused?.at(-1)?.sequence ?? listed.rows[0]?.sequence ?? 0;
  return {
    ...listed,
    rows,
    hasMore: listed.hasMore && !isCut,
    isCut,
    isTail,
    recent: came,
    waiting: paused === undefined ? undefined : waitingText(came, newest),
    togglePause: () => setPaused(paused === undefined ? came : undefined),
  };
}

/** The number of events after a sequence; `or more` if older ones were dropped. */
function waitingText(came: readonly Event[], behind: number): string {
  const count = came.filter(({ sequence }) => sequence > behind).length;
  return count >= maxLiveEvents ? `${count} or more` : String(count);
}
