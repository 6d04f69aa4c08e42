import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../../src/client/page.js';
import { textOf } from '../../../src/wire/json/json.js';
import { maxSkip } from '../../../src/wire/lists/query.js';
import { type Asked, nextAsked } from './asked.js';
import { useExplorer } from './explorer.js';
import { type LoadedRows, pageRows, withNextPage } from './loaded-rows.js';
import { mergeHead } from './merge-rows.js';
import { useRead } from './read.js';
import { lastKey, pageBehind, type Sorting, sortParameters } from './sorting.js';

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Identifies the list, filters, time range and order of the rows. */
  readonly question: string | undefined;
  readonly isLoading: boolean;
  /** Whether newer rows, or those of another question, are loading. */
  readonly isStale: boolean;
  /** The error of the last read, of the first page or of the next one. */
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  /** Whether there are more rows that this list cannot read. */
  readonly isCut?: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
  /** Whether more than a page of rows came while the list was scrolled; it stays unchanged until `catchUp`. */
  readonly isBehind: boolean;
  readonly catchUp: () => void;
  /** The number of rows before these that were dropped to limit memory; `catchUp` reads them again. */
  readonly skipped?: number;
  /** Call when the list is scrolled away from its top, and when it is back there. */
  readonly onScrolled: (isScrolled: boolean) => void;
}

export interface RowsOptions<Name extends ListName> {
  readonly subject: string;
  readonly list: Name;
  readonly parameters: Parameters;
  /** Identifies the parameters if they change with the time, as with a relative time range; default: the parameters. */
  readonly question?: readonly unknown[];
  readonly keyOf: (row: RecordOf<Name>) => string;
  /** The order of the list; undefined if unknown. */
  readonly sorting?: Sorting<RecordOf<Name>> | undefined;
}

/**
 * Reads a list of the node: the first page is kept current by events, the others are read on demand. A row that moves
 * between pages appears once.
 */
export function useRows<Name extends ListName>(options: RowsOptions<Name>): Rows<RecordOf<Name>> {
  const { subject, list, sorting, keyOf } = options;
  const { client } = useExplorer();
  const isScrolled = useRef(false);
  const { key, parameters } = useAsked(options, isScrolled);
  const query = textOf(parameters);
  const page = (where: Parameters, signal?: AbortSignal) =>
    readPage(client, list, [...parameters, ...where, ['limit', String(pageRows)]], signal).then(({ entries }) =>
      entries.map(({ value }) => value),
    );
  const head = useRead(subject, ['rows', list, parameters], (_, signal) => page([], signal), { keepsPrevious: true });
  const [loaded, setLoaded] = useState<LoadedRows<RecordOf<Name>> | undefined>();
  const [isBehind, setBehind] = useState(false);
  const [lastTail, setTail] = useState<Tail>(noTail);
  const tail = lastTail.key === key ? lastTail : noTail;
  const latest = useRef(keyOf);
  latest.current = keyOf;
  const { data, isPlaceholderData } = head;
  useEffect(() => {
    if (data === undefined || isPlaceholderData) return;
    // Rows of an earlier time range may be outside of this one; a scrolled list keeps them.
    const isCurrent = loaded?.query === query || isScrolled.current;
    const former = loaded?.key === key && isCurrent ? loaded : undefined;
    // The first rows were dropped, so the first page cannot overlap the rest.
    const isAway = former !== undefined && former.skipped > 0;
    const next = isAway ? undefined : withHead(former, { key, query, head: data, keyOf: latest.current });
    const stays = next === undefined && isScrolled.current;
    setBehind(stays);
    if (!stays) setLoaded(next ?? firstPage(key, query, data));
    // `loaded` is left out: only a new first page is merged.
  }, [data, isPlaceholderData, key, query]);
  const rows = loaded?.rows ?? [];
  const skipped = loaded?.skipped ?? 0;
  const canGoOn = skipped + rows.length <= maxSkip || lastKey(rows, sorting, parameters) !== undefined;
  const hasOlder = loaded !== undefined && loaded.key === key && !loaded.isComplete;
  const hasMore = hasOlder && canGoOn;
  const more = useCallback(() => {
    const endTail = (error: unknown) =>
      setTail((former) => (former.key === key ? { key, error, isLoading: false } : former));
    setTail({ key, error: undefined, isLoading: true });
    page(pageBehind(rows, sorting, parameters, skipped)).then((next) => {
      setLoaded((former) => (former?.key === key ? withNextPage(former, next, latest.current) : former));
      endTail(undefined);
    }, endTail);
    // All other dependencies are part of the key.
  }, [key, rows]);
  return {
    rows,
    question: loaded?.key,
    isLoading: loaded === undefined && head.error === null,
    isStale: loaded !== undefined && (loaded.key !== key || head.isFetching),
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
      if (data !== undefined) setLoaded(firstPage(key, query, data));
      setBehind(false);
    }, [data, key, query]),
    onScrolled: useCallback((is: boolean) => {
      isScrolled.current = is;
    }, []),
  };
}

interface Tail {
  /** The question that it belongs to. */
  readonly key: string;
  readonly error: unknown;
  readonly isLoading: boolean;
}

const noTail: Tail = { key: '', error: undefined, isLoading: false };

function useAsked<Name extends ListName>(
  { list, parameters, question = parameters, sorting }: RowsOptions<Name>,
  isScrolled: RefObject<boolean>,
): Asked {
  const order = sortParameters(sorting);
  const wanted = { key: textOf([list, question, order]), parameters: [...parameters, ...order] };
  const asked = useRef<Asked>(wanted);
  asked.current = nextAsked(asked.current, wanted, isScrolled.current);
  return asked.current;
}

function firstPage<Row>(key: string, query: string, rows: readonly Row[]): LoadedRows<Row> {
  return { key, query, rows, isComplete: rows.length < pageRows, skipped: 0 };
}

interface NewHead<Row> {
  readonly key: string;
  readonly query: string;
  readonly head: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** Replaces the first page of the loaded rows; undefined if rows may be missing behind it. */
function withHead<Row>(
  before: LoadedRows<Row> | undefined,
  { key, query, head, keyOf }: NewHead<Row>,
): LoadedRows<Row> | undefined {
  if (before === undefined || head.length < pageRows) return firstPage(key, query, head);
  const rows = mergeHead(before.rows, head, keyOf);
  return rows && { key, query, rows, isComplete: before.isComplete && rows.length > head.length, skipped: 0 };
}
