import type { ReactNode } from 'react';
import styles from './small-table.module.css';

interface SmallColumn<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** Its words stay whole: on a narrow screen the table is scrolled. */
  readonly isWhole?: boolean;
  readonly render: (row: Row, index: number) => ReactNode;
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly SmallColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** A table of a few rows, as a part of a record. */
export function SmallTable<Row>({ label, columns, rows, keyOf }: Props<Row>) {
  return (
    <div className={styles.box}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber = false }) => (
              <th key={title} scope="col" data-number={isNumber}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, isNumber = false, isWhole = false, render }) => (
                <td key={title} data-number={isNumber} data-whole={isWhole || isNumber}>
                  {render(row, index)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
