import { useCallback, useEffect, useRef, useState } from 'react';
import { type ListName, type Parameters, readPage, type RecordOf } from '../../../src/client/page.js';
import { textOf } from '../../../src/wire/json.js';
import { useExplorer } from './explorer.js';
import { joinHead, joinTail } from './join.js';
import { useRead } from './read.js';

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** Why the newest rows could not be read, or why no more of them could. */
  readonly error: unknown;
  readonly retry: () => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly more: () => void;
}

export interface RowsOptions<Name extends ListName> {
  readonly subject: string;
  readonly list: Name;
  readonly parameters: Parameters;
  readonly keyOf: (row: RecordOf<Name>) => string;
  /** The order of the list. */
  readonly compare: (left: RecordOf<Name>, right: RecordOf<Name>) => number;
}

const pageRows = 100;
const maxRows = 5_000;

/**
 * A list of the node from its first row on: its first page is kept current by events, the others are read when they are
 * asked for, and rows that move are shown once, in their place.
 */
export function useRows<Name extends ListName>(options: RowsOptions<Name>): Rows<RecordOf<Name>> {
  const { subject, list, parameters, keyOf, compare } = options;
  const { client } = useExplorer();
  const key = textOf([list, parameters]);
  const page = (skip: number, signal?: AbortSignal) => {
    const where: Parameters = [...parameters, ['limit', String(pageRows)], ['skip', String(skip)]];
    return readPage(client, list, where, signal).then(({ entries }) => entries.map(({ value }) => value));
  };
  const head = useRead(subject, ['rows', list, parameters], (_, signal) => page(0, signal), { keepsPrevious: true });
  const [held, setHeld] = useState<{ key: string; rows: readonly RecordOf<Name>[]; isWhole: boolean } | undefined>();
  const [tail, setTail] = useState<{ error: unknown; isLoading: boolean }>({ error: undefined, isLoading: false });
  const order = useRef({ keyOf, compare });
  order.current = { keyOf, compare };
  const { data, isPlaceholderData } = head;
  useEffect(() => {
    if (data === undefined || isPlaceholderData) return;
    setHeld((former) => {
      const before = former?.key === key ? former : undefined;
      const isWhole = data.length < pageRows;
      if (before === undefined || isWhole) return { key, rows: data, isWhole };
      const rows = joinHead(before.rows, data, order.current);
      return { key, rows, isWhole: before.isWhole && rows.length > data.length };
    });
  }, [data, isPlaceholderData, key]);
  const rows = held?.rows ?? [];
  const hasMore = held !== undefined && held.key === key && !held.isWhole && rows.length < maxRows;
  const more = useCallback(() => {
    setTail({ error: undefined, isLoading: true });
    page(rows.length).then(
      (next) => {
        setHeld((former) =>
          former?.key === key
            ? { key, rows: joinTail(former.rows, next, order.current), isWhole: next.length < pageRows }
            : former,
        );
        setTail({ error: undefined, isLoading: false });
      },
      (error: unknown) => setTail({ error, isLoading: false }),
    );
    // The rest of what it uses is in the key.
  }, [key, rows.length]);
  return {
    rows,
    isLoading: held === undefined && head.error === null,
    error: head.error ?? tail.error ?? undefined,
    retry: () => (head.error === null ? more() : void head.refetch()),
    hasMore,
    isLoadingMore: tail.isLoading,
    more: useCallback(() => {
      if (hasMore && !tail.isLoading && tail.error === undefined) more();
    }, [hasMore, tail, more]),
  };
}
