import { indentJson } from '../../../../src/wire/json-indent.js';
import { textOf } from '../../../../src/wire/json.js';
import type { Message } from '../../../../src/wire/message.js';
import { csvOf } from '../../components/csv.js';
import { Menu } from '../../components/menu.js';
import { saveFile } from '../../components/save-file.js';

const columns = ['id', 'state', 'type', 'author', 'tag', 'topics', 'group', 'created', 'confirmed', 'hash'];

/** Saves the rows of the list, as far as they are loaded. */
export function Export({ rows }: { readonly rows: readonly Message[] }) {
  const asJson = () => saveFile('messages.json', 'application/json', indentJson(textOf(rows)));
  const asCsv = () => saveFile('messages.csv', 'text/csv', csvOf(columns, rows.map(cellsOf)));
  return (
    <Menu
      label="Export"
      name={`Export the ${rows.length} rows that are loaded`}
      icon="download"
      items={[
        { key: 'json', label: `JSON, ${rows.length} rows`, onChoose: asJson },
        { key: 'csv', label: `CSV, ${rows.length} rows`, onChoose: asCsv },
      ]}
    />
  );
}

function cellsOf({ header, state, confirmed = '', hash }: Message): string[] {
  const { id, type, author, tag = '', topics, group = '', created } = header;
  return [id, state, type, author, tag, topics.join(' '), group, created, confirmed, hash];
}
