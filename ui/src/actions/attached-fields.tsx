import { readPage } from '../../../src/client/page.js';
import { shortened } from '../../../src/wire/errors/sentence.js';
import { useRead } from '../api/read.js';
import { type AttachedMessage, hasMessage } from './attached-message.js';
import { AreaField, TextField } from './fields.js';
import { namesIn } from './names-in.js';
import { PartiesField } from './parties.js';
import { SuggestField } from './suggest-field.js';

const offeredData = '50';
const maxCharacters = 60;

interface Props {
  readonly values: AttachedMessage;
  readonly set: (field: keyof AttachedMessage) => (value: string) => void;
  /** The problem of a field to show. */
  readonly problemOf: (field: keyof AttachedMessage) => string | undefined;
}

/** The fields of a message attached to an operation, and its recipients. */
export function AttachedFields({ values, set, problemOf }: Props) {
  return (
    <>
      <AreaField
        label="Message"
        value={values.message}
        onChange={set('message')}
        rows={2}
        placeholder={'{"for":"your help"}'}
        error={problemOf('message')}
        hint="JSON or text. Leave empty to send none."
      />
      {hasMessage(values) && (
        <>
          <PartiesField
            label="Recipients of the message; all parties if none is selected"
            chosen={namesIn(values.readers)}
            onChange={(chosen) => set('readers')(chosen.join(','))}
            isOthersOnly
          />
          <DataField value={values.dataId} onChange={set('dataId')} error={problemOf('dataId')} />
          <TextField label="Tag of the message" value={values.tag} onChange={set('tag')} error={problemOf('tag')} />
          <TextField
            label="Topics of the message"
            value={values.topics}
            onChange={set('topics')}
            error={problemOf('topics')}
            placeholder="default"
            hint="Separate several with commas."
          />
        </>
      )}
    </>
  );
}

interface DataProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A field for the id of a data item that the node has, with the newest as suggestions. */
function DataField({ value, onChange, error }: DataProps) {
  const newest = useRead('data', ['newest', offeredData], (client, signal) =>
    readPage(client, 'listData', [['limit', offeredData]], signal),
  );
  const items = newest.data?.entries.map(({ value: item }) => item) ?? [];
  return (
    <SuggestField
      label="File or data of the message"
      hint="The id of a data item on this node. Upload files on the Data page."
      value={value}
      onChange={(id) => onChange(id.trim())}
      error={error}
      suggestions={items.map(({ id, value: json, blob }) => ({
        value: id,
        label: shortened(blob?.name ?? json, maxCharacters),
      }))}
    />
  );
}
