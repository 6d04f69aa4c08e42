import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Icon } from '../../components/icon.js';
import styles from './compose.module.css';
import { DataItemField } from './data-item-field.js';
import { anItem, type DraftItem } from './draft-message.js';
import { FileItem } from './file-item.js';
import { ValueItem } from './value-item.js';

/** Applies a function to the current items. */
export type ChangeItems = (change: (items: readonly DraftItem[]) => readonly DraftItem[]) => void;

interface Props {
  readonly items: readonly DraftItem[];
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: ChangeItems;
}

const maxDatatypes = 1_000;
const titles: Readonly<Record<DraftItem['kind'], string>> = {
  json: 'Value',
  text: 'Value',
  file: 'File',
  data: 'Existing data',
};
const buttons = [
  ['json', 'Add a value'],
  ['file', 'Add a file'],
  ['data', 'Add existing data'],
] as const;

export function ItemsField({ items, problems, onChange }: Props) {
  const datatypes = useRead('datatypes', ['names'], (client, signal) =>
    readPage(client, 'listDatatypes', [['limit', String(maxDatatypes)]], signal),
  );
  const names = datatypes.data?.entries.map(({ value: { name, version } }) => `${name}@${version}`) ?? [];
  const changeOne = (key: string) => (change: Partial<DraftItem>) =>
    onChange((former) => former.map((item) => (item.key === key ? { ...item, ...change } : item)));
  return (
    <fieldset className={styles.items}>
      <legend>Data</legend>
      <ol>
        {items.map((item, index) => {
          const label = `${titles[item.kind]} ${index + 1}`;
          const common = { item, label, problem: problems.get(item.key), onChange: changeOne(item.key) };
          return (
            <li key={item.key} className={styles.item}>
              {item.kind === 'file' && <FileItem {...common} />}
              {item.kind === 'data' && <DataItemField {...common} />}
              {(item.kind === 'json' || item.kind === 'text') && (
                <ValueItem {...common} datatypes={names} hasFocus={index === 0 && items.length === 1} />
              )}
              <button
                type="button"
                className={`button plain ${styles.remove}`}
                aria-label={`Remove ${label}`}
                title={`Remove ${label}`}
                onClick={() => onChange((former) => former.filter(({ key }) => key !== item.key))}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ol>
      <p className={styles.add}>
        {buttons.map(([kind, title]) => (
          <button
            key={kind}
            type="button"
            className="button"
            onClick={() => onChange((former) => [...former, anItem({ kind })])}
          >
            {title}
          </button>
        ))}
      </p>
    </fieldset>
  );
}
