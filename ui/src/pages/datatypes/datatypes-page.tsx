import { useState } from 'react';
import type { Datatype } from '../../../../src/wire/data/datatype.js';
import { ActionDialog } from '../../actions/action-form.js';
import { usePlace } from '../../api/explorer.js';
import { Alone, Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { beginningOf } from '../../components/text/marked-text.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { DatatypeRecord } from './datatype-record.js';
import { DefineForm } from './define-form.js';

const previewCharacters = 200;

const columns: readonly Column<Datatype>[] = [
  {
    name: 'name',
    title: 'Name',
    sort: { field: 'name', keyOf: ({ name }) => name },
    render: ({ name }) => <Text value={name} />,
  },
  {
    name: 'version',
    title: 'Version',
    width: 104,
    sort: { field: 'version', keyOf: ({ version }) => version },
    render: ({ version }) => <Text value={version} />,
  },
  {
    name: 'schema',
    title: 'Schema',
    from: 560,
    render: ({ value }) => <Text value={beginningOf(value, previewCharacters)} />,
  },
  {
    name: 'hash',
    title: 'Hash',
    width: 104,
    from: 760,
    render: ({ hash }) => <code title={hash}>{hash.slice(0, 8)}</code>,
    copy: ({ hash }) => hash,
  },
  {
    name: 'age',
    title: 'Age',
    width: 96,
    isNumber: true,
    sort: { field: 'created' },
    render: ({ created }) => (created === undefined ? '' : <Time iso={created} />),
  },
];

/** The list of datatypes, or a single version. */
export function DatatypesPage() {
  const { id } = usePlace();
  const [isOpen, setOpen] = useState(false);
  if (id !== undefined)
    return (
      <Alone title="Datatype">
        <DatatypeRecord key={id} id={id} />
      </Alone>
    );
  const define = (
    <button type="button" className="button" onClick={() => setOpen(true)}>
      Define datatype
    </button>
  );
  return (
    <>
      <Browse
        title="Datatypes"
        label="datatypes"
        collection="datatypes"
        subject="datatypes"
        list="listDatatypes"
        keyOf={({ id: key }) => key}
        columns={columns}
        example="name=^order"
        record={(key) => <DatatypeRecord id={key} />}
        recordTitle="Datatype"
        actions={define}
        empty={
          <Empty
            sentence="No datatype has been defined yet. A datatype is a schema that all parties check values against."
            command={`echo '{"type":"object"}' | stack datatype define - --name any --version 1`}
          >
            {define}
          </Empty>
        }
      />
      <ActionDialog title="Define a datatype" isOpen={isOpen} onClose={() => setOpen(false)}>
        <DefineForm onClose={() => setOpen(false)} />
      </ActionDialog>
    </>
  );
}
