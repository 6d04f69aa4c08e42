import { useState } from 'react';
import type { Data } from '../../../../src/wire/data/data.js';
import { noValue } from '../../../../src/wire/scalar.js';
import { usePlace } from '../../api/explorer.js';
import { Alone, Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import { Icon } from '../../components/icon.js';
import { sizeText } from '../../components/text/size-text.js';
import type { Column } from '../../components/table/columns.js';
import { beginningOf } from '../../components/text/marked-text.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { DataRecord } from './data-record.js';
import { UploadDialog } from './upload-dialog.js';

const previewCharacters = 160;

const columns: readonly Column<Data>[] = [
  {
    name: 'id',
    title: 'Data',
    width: 116,
    render: ({ id }) => <code title={id}>{id.slice(0, 8)}</code>,
    copy: ({ id }) => id,
  },
  { name: 'value', title: 'Value or file', render: (item) => <Content item={item} /> },
  {
    name: 'datatype',
    title: 'Datatype',
    width: 160,
    from: 640,
    sort: { field: 'datatype.name' },
    render: ({ datatype }) => <Text value={datatype === undefined ? '' : `${datatype.name}@${datatype.version}`} />,
  },
  {
    name: 'size',
    title: 'Size',
    width: 88,
    isNumber: true,
    from: 520,
    render: ({ blob, value }) => sizeText(blob?.size ?? new TextEncoder().encode(value).length),
  },
  {
    name: 'hash',
    title: 'Hash',
    width: 104,
    from: 760,
    sort: { field: 'hash', keyOf: ({ hash }) => hash },
    render: ({ hash }) => <code title={hash}>{hash.slice(0, 8)}</code>,
    copy: ({ hash }) => hash,
  },
  {
    name: 'shared',
    title: 'Shared',
    width: 80,
    from: 860,
    render: (item) => ((item.public ?? item.blob?.public) === undefined ? '' : 'shared'),
  },
  {
    name: 'age',
    title: 'Age',
    width: 96,
    isNumber: true,
    sort: { field: 'created', keyOf: ({ created }) => created },
    render: ({ created }) => <Time iso={created} />,
  },
];

/** The list of data items of this node, or a single one. */
export function DataPage() {
  const { id } = usePlace();
  const [isUploading, setUploading] = useState(false);
  if (id !== undefined)
    return (
      <Alone title="Data item">
        <DataRecord key={id} id={id} />
      </Alone>
    );
  const upload = (
    <button type="button" className="button" onClick={() => setUploading(true)}>
      <Icon name="file" /> Upload
    </button>
  );
  return (
    <>
      <Browse
        title="Data"
        label="data items"
        collection="data"
        subject="data"
        list="listData"
        keyOf={({ id: key }) => key}
        columns={columns}
        example="datatype.name=order"
        record={(key) => <DataRecord id={key} />}
        recordTitle="Data item"
        actions={upload}
        empty={
          <Empty
            sentence="This node has no data yet. Upload a file to send it later."
            command="stack data upload report.pdf"
          >
            {upload}
          </Empty>
        }
      />
      <UploadDialog isOpen={isUploading} onClose={() => setUploading(false)} />
    </>
  );
}

/** The name of a file, or the beginning of the value. */
function Content({ item: { value, blob } }: { readonly item: Data }) {
  if (blob !== undefined && (blob.name !== undefined || value === noValue))
    return (
      <>
        <Icon name="file" /> <Text value={blob.name ?? 'unnamed file'} />
      </>
    );
  return (
    <code>
      <Text value={beginningOf(value, previewCharacters)} />
    </code>
  );
}
