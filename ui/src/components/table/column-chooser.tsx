import { useId } from 'react';
import { useExplorer } from '../../api/explorer.js';
import styles from './column-chooser.module.css';
import type { Column } from './columns.js';
import { Icon } from '../icon.js';
import menu from '../page/menu.module.css';
import { storeColumns } from './stored-columns.js';

interface Props<Row> {
  /** The name of the list in the browser's storage. */
  readonly list: string;
  readonly columns: readonly Column<Row>[];
  readonly shown: readonly Column<Row>[];
  /** Whether the columns were chosen rather than derived from the width. */
  readonly isChosen: boolean;
}

/** A menu of the columns of a list. A choice is stored in the URL, and on request in the browser. */
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
              Save for this list
            </button>
            <button type="button" className={menu.item} onClick={reset}>
              Reset to automatic
            </button>
          </div>
        )}
      </div>
    </>
  );
}
