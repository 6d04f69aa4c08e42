import { useCallback, useEffect, useRef, useState } from 'react';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../../src/client/page.js';
import { textOf } from '../../../src/wire/json/json.js';
import { maxSkip } from '../../../src/wire/lists/query.js';
import { useExplorer } from './explorer.js';
import { type Held, pageRows, withPage } from './held.js';
import { joinHead } from './join.js';
import { useRead } from './read.js';
import { lastKey, pageBehind, type Sorting, sortParameters } from './sorting.js';

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Names what the rows answer: other filters or another order are another question. */
  readonly question: string | undefined;
  readonly isLoading: boolean;
  /** Whether newer rows, or those of another question, are being read. */
  readonly isStale: boolean;
  /** Why the newest rows could not be read, or why no more of them could. */
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** There are older rows, and this list does not read them. */
  readonly isCut?: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
  /** More rows came at once than a page has, while the list was scrolled: it stays as it is until `catchUp`. */
  readonly isBehind: boolean;
  readonly catchUp: () => void;
  /** How many rows before these were let go, so that the list does not grow for ever; `catchUp` reads them again. */
  readonly skipped?: number;
  /** Called when the list leaves its top, or is there again. */
  readonly onScrolled: (isScrolled: boolean) => void;
}

export interface RowsOptions<Name extends ListName> {
  readonly subject: string;
  readonly list: Name;
  readonly parameters: Parameters;
  readonly keyOf: (row: RecordOf<Name>) => string;
  /** The order of the list, as far as it is known. */
  readonly sorting?: Sorting<RecordOf<Name>> | undefined;
}

/**
 * A list of the node from its first row on: its first page is kept current by events, the others are read when they are
 * asked for, and rows that move are shown once, in their place.
 */
export function useRows<Name extends ListName>(options: RowsOptions<Name>): Rows<RecordOf<Name>> {
  const { subject, list, sorting, keyOf } = options;
  const { client } = useExplorer();
  const parameters: Parameters = [...options.parameters, ...sortParameters(sorting)];
  const key = textOf([list, parameters]);
  const page = (where: Parameters, signal?: AbortSignal) =>
    readPage(client, list, [...parameters, ...where, ['limit', String(pageRows)]], signal).then(({ entries }) =>
      entries.map(({ value }) => value),
    );
  const head = useRead(subject, ['rows', list, parameters], (_, signal) => page([], signal), { keepsPrevious: true });
  const [held, setHeld] = useState<Held<RecordOf<Name>> | undefined>();
  const [isBehind, setBehind] = useState(false);
  const [lastTail, setTail] = useState<Tail>(noTail);
  // The next page of another question says nothing about this one, also if it could not be read.
  const tail = lastTail.key === key ? lastTail : noTail;
  const isScrolled = useRef(false);
  const latest = useRef(keyOf);
  latest.current = keyOf;
  const { data, isPlaceholderData } = head;
  useEffect(() => {
    if (data === undefined || isPlaceholderData) return;
    const former = held?.key === key ? held : undefined;
    // Rows far behind the first page have nothing to join it to.
    const isAway = former !== undefined && former.skipped > 0;
    const next = isAway ? undefined : joined(former, { key, head: data, keyOf: latest.current });
    const stays = next === undefined && isScrolled.current;
    setBehind(stays);
    if (!stays) setHeld(next ?? begun(key, data));
    // The held rows are read here; a change of them alone joins nothing.
  }, [data, isPlaceholderData, key]);
  const rows = held?.rows ?? [];
  const skipped = held?.skipped ?? 0;
  const canGoOn = skipped + rows.length <= maxSkip || lastKey(rows, sorting, parameters) !== undefined;
  const hasOlder = held !== undefined && held.key === key && !held.isWhole;
  const hasMore = hasOlder && canGoOn;
  const more = useCallback(() => {
    const endTail = (error: unknown) =>
      setTail((former) => (former.key === key ? { key, error, isLoading: false } : former));
    setTail({ key, error: undefined, isLoading: true });
    page(pageBehind(rows, sorting, parameters, skipped)).then((next) => {
      setHeld((former) => (former?.key === key ? withPage(former, next, latest.current) : former));
      endTail(undefined);
    }, endTail);
    // The rest of what it uses is in the key.
  }, [key, rows]);
  return {
    rows,
    question: held?.key,
    isLoading: held === undefined && head.error === null,
    isStale: held !== undefined && (held.key !== key || head.isFetching),
    error: head.error ?? tail.error ?? undefined,
    retry: () => (head.error === null ? more() : void head.refetch()),
    hasMore,
    isCut: hasOlder && !canGoOn,
    isLoadingMore: tail.isLoading,
    more: useCallback(() => {
      if (hasMore && !tail.isLoading && tail.error === undefined) more();
    }, [hasMore, tail, more]),
    isBehind,
    skipped,
    catchUp: useCallback(() => {
      if (data !== undefined) setHeld(begun(key, data));
      setBehind(false);
    }, [data, key]),
    onScrolled: useCallback((is: boolean) => {
      isScrolled.current = is;
    }, []),
  };
}

/** How the reading of the next page goes. */
interface Tail {
  /** The question that it belongs to. */
  readonly key: string;
  readonly error: unknown;
  readonly isLoading: boolean;
}

const noTail: Tail = { key: '', error: undefined, isLoading: false };

function begun<Row>(key: string, rows: readonly Row[]): Held<Row> {
  return { key, rows, isWhole: rows.length < pageRows, skipped: 0 };
}

interface NewHead<Row> {
  readonly key: string;
  readonly head: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** The held rows with their first page as it is now; undefined where there may be others between. */
function joined<Row>(before: Held<Row> | undefined, { key, head, keyOf }: NewHead<Row>): Held<Row> | undefined {
  if (before === undefined || head.length < pageRows) return begun(key, head);
  const rows = joinHead(before.rows, head, keyOf);
  return rows && { key, rows, isWhole: before.isWhole && rows.length > head.length, skipped: 0 };
}
