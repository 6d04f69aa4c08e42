import { useState } from 'react';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import type { Entry } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { csvOf } from '../../components/table/csv.js';
import { Menu } from '../../components/page/menu.js';
import { saveFile } from '../../components/record/save-file.js';

const columns = ['id', 'state', 'type', 'author', 'tag', 'topics', 'group', 'created', 'confirmed', 'hash'];
export const maxExported = 50_000;

interface Props {
  /** Reads the whole list with its filters and order. */
  readonly read: () => Promise<readonly Entry<Message>[]>;
}

type Progress = 'idle' | 'reading' | { readonly problem: string };

/** A menu that exports the list with its filters and order. */
export function Export({ read }: Props) {
  const [progress, setProgress] = useState<Progress>('idle');
  const save = async (write: (entries: readonly Entry<Message>[]) => void) => {
    setProgress('reading');
    try {
      write(await read());
      setProgress('idle');
    } catch (error) {
      setProgress({ problem: error instanceof Error ? error.message : String(error) });
    }
  };
  const asJson = (entries: readonly Entry<Message>[]) =>
    saveFile('messages.json', 'application/json', indentJson(`[${entries.map(({ text }) => text).join(',')}]`));
  const asCsv = (entries: readonly Entry<Message>[]) =>
    saveFile(
      'messages.csv',
      'text/csv',
      csvOf(
        columns,
        entries.map(({ value }) => cellsOf(value)),
      ),
    );
  return (
    <>
      {typeof progress === 'object' && <span role="alert">Export failed: {progress.problem}</span>}
      <Menu
        label={progress === 'reading' ? 'Exporting…' : 'Export'}
        name={`Export the list (at most ${maxExported.toLocaleString('en')} messages)`}
        icon="download"
        items={[
          { key: 'json', label: 'JSON', onChoose: () => void save(asJson) },
          { key: 'csv', label: 'CSV', onChoose: () => void save(asCsv) },
        ]}
      />
    </>
  );
}

function cellsOf({ header, state, confirmed = '', hash }: Message): string[] {
  const { id, type, author, tag = '', topics, group = '', created } = header;
  return [id, state, type, author, tag, topics.join(' '), group, created, confirmed, hash];
}
