import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import type { Rows } from '../../api/rows.js';
import { useConnection, useExplorer, usePlace } from '../../api/explorer.js';
import { chosenColumns, type Column, sortingOf } from '../table/columns.js';
import { Empty } from './empty.js';
import { Failure } from './failure.js';
import { useLasting } from '../lasting.js';
import { Skeleton } from './skeleton.js';
import { Table, type TableProps } from '../table/table.js';
import styles from './list.module.css';

/** The time after which stale rows are dimmed. */
const dimAfterMs = 1_000;

interface Props<Row> extends Omit<
  TableProps<Row>,
  'rows' | 'question' | 'onEnd' | 'end' | 'isBehind' | 'onCatchUp' | 'onScrolled' | 'skipped' | 'closed'
> {
  readonly of: Rows<Row>;
  /** Shown if there are no rows and no filters. */
  readonly empty: ReactNode;
}

/** A list in any of its states: loading, empty, failed, or with rows. */
export function List<Row>({ of, empty, ...table }: Props<Row>) {
  const { places } = useExplorer();
  const { filters, from, to } = usePlace();
  const { rows, isLoading, error, retry, hasMore, isLoadingMore, more } = of;
  const { connection } = useConnection();
  const closed = useClosed();
  const isDim = useLasting(of.isStale || connection === 'lost', dimAfterMs);
  if (isLoading) return <Skeleton rows={12} />;
  const failure = error === undefined ? null : <Failure error={error} onRetry={retry} />;
  if (rows.length === 0) {
    if (failure !== null) return failure;
    const isFiltered = filters.length > 0 || from !== undefined || to !== undefined;
    if (!isFiltered) return empty;
    if (hasMore) return <Skeleton rows={12} />;
    return (
      <Empty sentence={`No ${table.label} match the filters and the time range.`}>
        <button
          type="button"
          className="button"
          onClick={() => places.go({ filters: [], from: undefined, to: undefined })}
        >
          Clear filters and time range
        </button>
      </Empty>
    );
  }
  return (
    <>
      {failure}
      <Notices columns={table.columns} />
      <div className={styles.rows} data-dim={isDim}>
        <Table
          {...table}
          rows={rows}
          question={of.question}
          onEnd={more}
          end={<End isLoadingMore={isLoadingMore} isFull={of.isCut === true} />}
          isBehind={of.isBehind}
          skipped={of.skipped ?? 0}
          onCatchUp={of.catchUp}
          onScrolled={of.onScrolled}
          closed={closed}
        />
      </div>
    </>
  );
}

/** The record whose panel was closed last. Kept here, since the table may be mounted only later. */
function useClosed(): RefObject<string | undefined> {
  const { open } = usePlace();
  const before = useRef(open);
  const closed = useRef<string>(undefined);
  // A layout effect runs before the effects of the table, which read the value.
  useLayoutEffect(() => {
    if (open === before.current) return;
    closed.current = open === undefined ? before.current : undefined;
    before.current = open;
  }, [open]);
  return closed;
}

function Notices<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  const place = usePlace();
  const notices = [chosenColumns(columns, place.columns).notice, sortingOf(columns, place.sort).notice];
  return notices.map((notice) =>
    notice === undefined ? null : (
      <p key={notice} className={styles.notice} role="status">
        {notice}
      </p>
    ),
  );
}

function End({ isLoadingMore, isFull }: { readonly isLoadingMore: boolean; readonly isFull: boolean }) {
  if (isLoadingMore) return <p className={styles.more}>Loading more…</p>;
  if (!isFull) return null;
  return (
    <p className={styles.more}>
      The list stops here, but there may be more. Set a time range or a filter to see older rows.
    </p>
  );
}
