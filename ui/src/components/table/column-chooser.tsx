import { useId } from 'react';
import { useExplorer } from '../../api/explorer.js';
import styles from './column-chooser.module.css';
import type { Column } from './columns.js';
import { Icon } from '../icon.js';
import menu from '../page/menu.module.css';
import { storeColumns } from './stored-columns.js';

interface Props<Row> {
  /** The name under which this browser keeps the columns of the list. */
  readonly list: string;
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  /** Whether somebody has chosen the columns. */
  readonly isChosen: boolean;
}

/** A button that opens the columns of a list to choose from. A choice is in the URL; it may be kept for the list. */
export function ColumnChooser<Row>({ list, columns, shown, isChosen }: Props<Row>) {
  const { places } = useExplorer();
  const id = useId();
  const names = shown.map(({ name }) => name);
  const toggle = (name: string, isShown: boolean) => {
    const next = columns.filter((each) => (each.name === name ? isShown : names.includes(each.name)));
    places.go({ columns: next.map((each) => each.name) });
  };
  const keep = () => storeColumns(list, names);
  const reset = () => {
    storeColumns(list, undefined);
    places.go({ columns: undefined });
  };
  return (
    <>
      <button type="button" className={styles.button} popoverTarget={id} aria-label="Columns" title="Columns">
        <Icon name="columns" />
      </button>
      <div id={id} popover="auto" className={menu.popover}>
        <ul>
          {columns.map(({ name, title }) => (
            <li key={name}>
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={names.includes(name)}
                  disabled={names.length === 1 && names[0] === name}
                  onChange={({ target }) => toggle(name, target.checked)}
                />
                {title}
              </label>
            </li>
          ))}
        </ul>
        {isChosen && (
          <div className={styles.actions}>
            <button type="button" className={menu.item} onClick={keep}>
              Keep for this list
            </button>
            <button type="button" className={menu.item} onClick={reset}>
              Back to automatic
            </button>
          </div>
        )}
      </div>
    </>
  );
}
