import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Event } from '../../../../src/wire/event-record.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { momentOf } from '../../url/place.js';
import { type Rows, useRows } from '../../api/rows.js';
import { passes } from './filter.js';

export interface EventRows extends Rows<Event> {
  /** Events that have come since the list was paused; undefined while it is not. */
  readonly waiting: number | undefined;
  readonly togglePause: () => void;
  /** How many came a second lately, of those that pass the filter. */
  readonly recent: readonly Event[];
}

/** The events of the range, newest first: what the node lists, and before it what came over the socket since. */
export function useEventRows(): EventRows {
  const { live } = useExplorer();
  const { from, to, filters } = usePlace();
  // A list that is opened again asks for what has happened meanwhile, since the socket's memory is short.
  const [openedMs] = useState(() => Date.now());
  const [pausedAt, setPausedAt] = useState<number | undefined>(undefined);
  const isLive = from === undefined && to === undefined;
  const range = [
    ...(from === undefined ? [] : [['created', `>=${momentOf(from, openedMs)}`] as const]),
    ...(to === undefined ? [] : [['created', `<=${momentOf(to, openedMs)}`] as const]),
  ];
  const listed = useRows({
    ...({ subject: `events ${openedMs}`, list: 'listEvents' } as const),
    parameters: [['fetchreferences', 'true'], ['sort', '-sequence'], ...range],
    keyOf: ({ id }) => id,
    compare: (left, right) => right.sequence - left.sequence,
  });
  const came = useSyncExternalStore(live.subscribeEvents, live.events);
  const shown = useMemo(
    () => (pausedAt === undefined ? came : came.filter(({ sequence }) => sequence <= pausedAt)),
    [came, pausedAt],
  );
  const rows = useMemo(() => {
    const test = passes(filters);
    return joined(isLive ? shown : [], listed.rows).filter(test);
  }, [isLive, shown, listed.rows, filters]);
  return {
    ...listed,
    rows,
    recent: came,
    waiting: pausedAt === undefined ? undefined : came.filter(({ sequence }) => sequence > pausedAt).length,
    togglePause: () => setPausedAt(pausedAt === undefined ? (rows[0]?.sequence ?? 0) : undefined),
  };
}

/** Newest first, each once. Both come in the order of their sequence. */
function joined(came: readonly Event[], listed: readonly Event[]): readonly Event[] {
  const newestListed = listed[0]?.sequence ?? -1;
  const newer = came.filter(({ sequence }) => sequence > newestListed);
  return [...newer.reverse(), ...listed];
}
