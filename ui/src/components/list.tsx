import type { ReactNode } from 'react';
import type { Rows } from '../api/rows.js';
import { useExplorer, usePlace } from '../api/explorer.js';
import { Empty } from './empty.js';
import { Failure } from './failure.js';
import { Skeleton } from './skeleton.js';
import { Table, type TableProps } from './table.js';
import styles from './list.module.css';

interface Props<Row> extends Omit<TableProps<Row>, 'rows' | 'onEnd' | 'end'> {
  readonly of: Rows<Row>;
  /** The request, for whoever wants to know why it failed. */
  readonly request: string;
  /** Shown where there is nothing, and nothing hides it. */
  readonly empty: ReactNode;
}

/** A list of the node with everything that can become of it: it loads, is empty, fails, has more. */
export function List<Row>({ of, request, empty, ...table }: Props<Row>) {
  const { places } = useExplorer();
  const { filters, from, to } = usePlace();
  const { rows, isLoading, error, retry, isLoadingMore, more } = of;
  if (isLoading) return <Skeleton rows={12} />;
  const failure = error === undefined ? null : <Failure error={error} request={request} onRetry={retry} />;
  if (rows.length === 0) {
    if (failure !== null) return failure;
    const isFiltered = filters.length > 0 || from !== undefined || to !== undefined;
    if (!isFiltered) return empty;
    return (
      <Empty sentence={`No ${table.label} match the filter and the time range.`}>
        <button
          type="button"
          className="button"
          onClick={() => places.go({ filters: [], from: undefined, to: undefined })}
        >
          Clear filter and range
        </button>
      </Empty>
    );
  }
  const end = isLoadingMore ? <p className={styles.more}>Reading more…</p> : null;
  return (
    <>
      {failure}
      <Table {...table} rows={rows} onEnd={more} end={end} />
    </>
  );
}
