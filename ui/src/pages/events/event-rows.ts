import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { Event } from '../../../../src/wire/events/event-record.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { rangeOf } from '../../api/filter.js';
import { pageRows } from '../../api/loaded-rows.js';
import { type Rows, useRows } from '../../api/rows.js';
import type { Sorting } from '../../api/sorting.js';
import { sortingOf } from '../../components/table/columns.js';
import { maxLiveEvents } from '../../live/live.js';
import { eventColumns } from './columns.js';
import { passes } from './filter.js';
import { joinEvents } from './join-events.js';

const newestFirst: Sorting<Event> = { field: 'sequence', isDescending: true, keyOf: ({ sequence }) => sequence };

export interface EventRows extends Rows<Event> {
  /** Whether new events are shown on top as they come. */
  readonly isTail: boolean;
  /** How many events have come since the list was paused; undefined while it is not. */
  readonly waiting: string | undefined;
  readonly togglePause: () => void;
  /** The newest events of the namespace, oldest first. */
  readonly recent: readonly Event[];
}

/** The events of the range: as the node lists them, and newest first, before them those that came over the socket. */
export function useEventRows(): EventRows {
  const { live } = useExplorer();
  const { from, to, filters, sort } = usePlace();
  // A list that is opened again asks for what has happened meanwhile, since the socket's memory is short.
  const [openedMs] = useState(() => Date.now());
  const [held, setHeld] = useState<readonly Event[] | undefined>(undefined);
  const isLive = from === undefined && to === undefined;
  const { sorting = newestFirst } = sortingOf(eventColumns, sort);
  // The socket brings the newest events: in another order the node has to say where they belong.
  const isTail = isLive && sorting.field === 'sequence' && sorting.isDescending;
  const listed = useRows({
    subject: isTail ? `events ${openedMs}` : 'status',
    list: 'listEvents',
    parameters: [['fetchreferences', 'true'], ...rangeOf({ from, to }, openedMs)],
    keyOf: ({ id }) => id,
    sorting,
  });
  const came = useSyncExternalStore(live.subscribeEvents, live.events);
  const shown = held ?? came;
  const rows = useMemo(() => {
    const all = isTail ? joinEvents(shown, listed.rows, maxLiveEvents) : listed.rows;
    return filters.length === 0 ? all : all.filter(passes(filters));
  }, [isTail, shown, listed.rows, filters]);
  useEffect(() => {
    // A filter looks at what was read: where it leaves little, more is read.
    if (filters.length > 0 && rows.length < pageRows) listed.more();
  }, [filters, rows.length, listed]);
  const isCut = isTail && shown.length >= maxLiveEvents;
  const newest = held?.at(-1)?.sequence ?? listed.rows[0]?.sequence ?? 0;
  return {
    ...listed,
    rows,
    hasMore: listed.hasMore && !isCut,
    isCut,
    isTail,
    recent: came,
    waiting: held === undefined ? undefined : waitingText(came, newest),
    togglePause: () => setHeld(held === undefined ? came : undefined),
  };
}

/** The number of events behind a sequence, as far as they are remembered. */
function waitingText(came: readonly Event[], behind: number): string {
  const count = came.filter(({ sequence }) => sequence > behind).length;
  return count >= maxLiveEvents ? `${count} or more` : String(count);
}
