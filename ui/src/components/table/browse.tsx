import { type ReactNode, useMemo } from 'react';
import type { ListName, Parameters, RecordOf } from '../../../../src/client/page.js';
import { type CollectionName, fieldsOf } from '../../../../src/wire/lists/fields.js';
import { usePlace } from '../../api/explorer.js';
import { judgeFilter, parametersOf } from '../../api/filter.js';
import { useRows } from '../../api/rows.js';
import { useRangeNow } from '../use-range-now.js';
import { Filters } from './filters.js';
import { List } from '../page/list.js';
import { Page, Scroll } from '../page/page.js';
import { Split } from '../page/split.js';
import { type Column, sortingOf } from './columns.js';

interface Props<Name extends ListName> {
  readonly title: string;
  /** The noun for the rows, such as `groups`. */
  readonly label: string;
  readonly collection: CollectionName;
  /** The subject of reads of the list. */
  readonly subject: string;
  readonly list: Name;
  /** Query parameters added to the filters of the URL. */
  readonly fixed?: Parameters;
  readonly keyOf: (row: RecordOf<Name>) => string;
  /** The field for the time range; null if the rows have no time. */
  readonly time?: string | null;
  readonly columns: readonly Column<RecordOf<Name>>[];
  /** The row is highlighted when this value changes. */
  readonly flashOf?: (row: RecordOf<Name>) => string;
  /** An example of a filter. */
  readonly example: string;
  readonly empty: ReactNode;
  readonly record: (key: string) => ReactNode;
  readonly recordTitle: string;
  /** The part of the page, if it has several. */
  readonly view?: string;
  readonly actions?: ReactNode;
  /** Content between the heading and the filters. */
  readonly children?: ReactNode;
}

const nothing: Parameters = [];

/** A page with one list of the node, its filters, and a side panel for a record. */
export function Browse<Name extends ListName>(props: Props<Name>) {
  const { title, collection, list, fixed = nothing, time = 'created', view } = props;
  const place = usePlace();
  const { open, from, to, filters } = place;
  const nowMs = useRangeNow();
  const parameters = useMemo(
    () => [
      ...parametersOf(
        collection,
        time === null ? { ...place, from: undefined, to: undefined } : place,
        nowMs,
        time ?? '',
      ),
      ...fixed,
    ],
    // Other parts of the place do not affect the query.
    [collection, from, to, filters, fixed, time, nowMs],
  );
  const question = [from, to, filters, fixed];
  const { sorting } = sortingOf(props.columns, place.sort);
  const rows = useRows({ subject: props.subject, list, parameters, question, keyOf: props.keyOf, sorting });
  const record = open === undefined ? undefined : <div key={open}>{props.record(open)}</div>;
  return (
    <Split panelTitle={props.recordTitle} panel={record} {...(view === undefined ? {} : { view })}>
      <Page title={title} actions={props.actions}>
        {props.children}
        <Filters
          fields={Object.keys(fieldsOf(collection))}
          judge={(filter) => judgeFilter(collection, filter)}
          example={props.example}
        />
        <List
          label={props.label}
          of={rows}
          columns={props.columns}
          keyOf={props.keyOf}
          placeOf={(row) => ({ open: props.keyOf(row) })}
          {...(props.flashOf === undefined ? {} : { flashOf: props.flashOf })}
          empty={props.empty}
        />
      </Page>
    </Split>
  );
}

export function Alone({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Page title={title}>
      <Scroll>{children}</Scroll>
    </Page>
  );
}
