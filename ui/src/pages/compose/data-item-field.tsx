import { useId } from 'react';
import { readPage } from '../../../../src/client/page.js';
import { shortened } from '../../../../src/wire/errors/sentence.js';
import { Field } from '../../actions/fields.js';
import { useRead } from '../../api/read.js';
import type { DraftItem } from './draft-message.js';

interface Props {
  readonly item: DraftItem;
  readonly label: string;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<DraftItem>) => void;
}

const maxOffered = 50;
const maxCharacters = 60;

/** A field for the id of a data item that the node has, with the newest as suggestions. */
export function DataItemField({ item, label, problem, onChange }: Props) {
  const listId = useId();
  const newest = useRead('data', ['newest', maxOffered], (client, signal) =>
    readPage(client, 'listData', [['limit', String(maxOffered)]], signal),
  );
  const offered = newest.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Field
      label={label}
      hint="The id of a data item. Type the beginning of a value or file name to see suggestions."
      {...(problem !== undefined && item.id !== '' && { error: problem })}
    >
      {(control) => (
        <>
          <input
            {...control}
            className="field mono"
            value={item.id}
            list={listId}
            spellCheck={false}
            autoComplete="off"
            placeholder="00000000-0000-0000-0000-000000000000"
            onChange={({ target }) => onChange({ id: target.value.trim() })}
          />
          <datalist id={listId}>
            {offered.map(({ id, value, blob }) => (
              <option key={id} value={id} label={shortened(blob?.name ?? value, maxCharacters)} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
