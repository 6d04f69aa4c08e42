import { useMemo, useState } from 'react';
import type { Data } from '../../../../src/wire/data.js';
import { fieldsOf } from '../../../../src/wire/fields.js';
import { noValue } from '../../../../src/wire/scalar.js';
import { usePlace } from '../../api/explorer.js';
import { judgeFilter, parametersOf } from '../../api/filter.js';
import { useRows } from '../../api/rows.js';
import { Empty } from '../../components/empty.js';
import { Filters } from '../../components/filters.js';
import { Icon } from '../../components/icon.js';
import { List } from '../../components/list.js';
import { Page, Scroll } from '../../components/page.js';
import { sizeText } from '../../components/size-text.js';
import { Split } from '../../components/split.js';
import type { Column } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { DataRecord } from './data-record.js';
import { UploadDialog } from './upload-dialog.js';

const fieldNames = Object.keys(fieldsOf('data'));
const previewCharacters = 160;

const columns: readonly Column<Data>[] = [
  { name: 'id', title: 'Data', width: 104, render: ({ id }) => <code title={id}>{id.slice(0, 8)}</code> },
  { name: 'value', title: 'Value or file', render: (item) => <Content item={item} /> },
  {
    ...{ name: 'datatype', title: 'Datatype', width: 160, from: 640 },
    render: ({ datatype }) => <Text value={datatype === undefined ? '' : `${datatype.name}@${datatype.version}`} />,
  },
  {
    ...{ name: 'size', title: 'Size', width: 88, isNumber: true, from: 520 },
    render: ({ blob, value }) => sizeText(blob?.size ?? new TextEncoder().encode(value).length),
  },
  {
    ...{ name: 'hash', title: 'Hash', width: 96, from: 760 },
    render: ({ hash }) => <code title={hash}>{hash.slice(0, 8)}</code>,
  },
  {
    ...{ name: 'shared', title: 'In store', width: 80, from: 860 },
    render: (item) => ((item.public ?? item.blob?.public) === undefined ? '' : 'shared'),
  },
  { name: 'age', title: 'Age', width: 96, isNumber: true, render: ({ created }) => <Time iso={created} /> },
];

/** The values and files that this node has; or one of them alone. */
export function DataPage() {
  const { id } = usePlace();
  if (id === undefined) return <DataList />;
  return (
    <Page title="Data item">
      <Scroll>
        <DataRecord key={id} id={id} />
      </Scroll>
    </Page>
  );
}

function DataList() {
  const place = usePlace();
  const { open, from, to, filters } = place;
  const [isUploading, setUploading] = useState(false);
  const parameters = useMemo(
    () => parametersOf('data', place, Date.now()),
    // Only these decide what is asked for.
    [from, to, filters],
  );
  const rows = useRows({
    ...({ subject: 'data', list: 'listData', parameters } as const),
    keyOf: ({ id }) => id,
    compare: (left, right) => (left.created < right.created ? 1 : left.created > right.created ? -1 : 0),
  });
  const upload = (
    <button type="button" className="button" onClick={() => setUploading(true)}>
      <Icon name="file" /> Upload
    </button>
  );
  return (
    <Split panelTitle="Data item" panel={open === undefined ? undefined : <DataRecord key={open} id={open} />}>
      <Page title="Data" actions={upload}>
        <Filters fields={fieldNames} judge={(filter) => judgeFilter('data', filter)} example="datatype.name=order" />
        <List
          label="data items"
          of={rows}
          request="GET data"
          columns={columns}
          keyOf={({ id }) => id}
          placeOf={({ id }) => ({ open: id })}
          empty={
            <Empty
              sentence="This node has no values and no files yet. Upload one, to send it later."
              command="stack data upload report.pdf"
            >
              {upload}
            </Empty>
          }
        />
      </Page>
      <UploadDialog isOpen={isUploading} onClose={() => setUploading(false)} />
    </Split>
  );
}

function Content({ item: { value, blob } }: { readonly item: Data }) {
  if (blob === undefined || value !== noValue)
    return (
      <code>
        <Text value={value.slice(0, previewCharacters)} />
      </code>
    );
  return (
    <>
      <Icon name="file" /> <Text value={blob.path ?? blob.name ?? 'a file without a name'} />
    </>
  );
}
