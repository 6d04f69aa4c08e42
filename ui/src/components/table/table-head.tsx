import { useExplorer, usePlace } from '../../api/explorer.js';
import { chooserPx, type Column, nextSort } from './columns.js';
import { ColumnChooser } from './column-chooser.js';
import { Icon } from '../icon.js';
import styles from './table.module.css';

interface Props<Row> {
  readonly list: string;
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  readonly isChosen: boolean;
}

/** The header of a list: titles, which sort the list if the node can, and the column chooser. */
export function TableHead<Row>({ list, columns, shown, isChosen }: Props<Row>) {
  return (
    <>
      <colgroup>
        {shown.map(({ name, width }) => (
          <col key={name} style={width === undefined ? {} : { width }} />
        ))}
        <col style={{ width: chooserPx }} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          {shown.map((column) => (
            <Title key={column.name} column={column} />
          ))}
          <th scope="col" className={styles.chooser}>
            <ColumnChooser list={list} columns={columns} shown={shown} isChosen={isChosen} />
          </th>
        </tr>
      </thead>
    </>
  );
}

function Title<Row>({ column }: { readonly column: Column<Row> }) {
  const { places } = useExplorer();
  const { sort: current } = usePlace();
  const { title, isNumber = false, sort } = column;
  if (sort === undefined)
    return (
      <th scope="col" data-number={isNumber}>
        {title}
      </th>
    );
  const direction = current === sort.field ? 'ascending' : current === `-${sort.field}` ? 'descending' : 'none';
  return (
    <th scope="col" data-number={isNumber} aria-sort={direction}>
      <button
        type="button"
        className={styles.sort}
        data-direction={direction}
        title={`Sort by ${title.toLowerCase()}`}
        onClick={() => places.go({ sort: nextSort(column, current) })}
      >
        {title}
        {direction !== 'none' && <Icon name="chevron" />}
      </button>
    </th>
  );
}
