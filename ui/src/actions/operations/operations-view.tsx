import type { ReactNode } from 'react';
import type { Operation } from '../../../../src/wire/chain/transaction.js';
import type { Parameters } from '../../../../src/client/page.js';
import { usePlace } from '../../api/explorer.js';
import { Browse } from '../../components/table/browse.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { OperationRecord } from './operation-record.js';
import { OperationState } from './operation-state.js';

const keyOf = ({ id }: Operation) => id;
const ofAnyType: Parameters = [];

const columns: readonly Column<Operation>[] = [
  { name: 'id', title: 'Operation', width: 104, render: ({ id }) => <code title={id}>{id.slice(0, 8)}</code> },
  { name: 'status', title: 'Status', width: 120, render: ({ status }) => <OperationState status={status} /> },
  { name: 'type', title: 'Type', from: 360, render: ({ type }) => <Text value={type} /> },
  { name: 'error', title: 'Error', from: 720, render: ({ error = '' }) => <Text value={error} /> },
  {
    name: 'age',
    title: 'Age',
    width: 104,
    isNumber: true,
    from: 480,
    sort: { field: 'created' },
    render: ({ created }) => <Time iso={created} />,
  },
];

interface Props {
  /** The title of the page. */
  readonly title: string;
  /** The types that are listed if no filter names a type, as query parameters. */
  readonly types: Parameters;
  readonly actions: ReactNode;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}

/** The operations of some types, as part of a page. */
export function OperationsView({ title, types, actions, empty, children }: Props) {
  const { filters } = usePlace();
  const isTyped = filters.some((filter) => filter.startsWith('type='));
  return (
    <Browse
      title={title}
      label="operations"
      collection="operations"
      subject="operations"
      list="listOperations"
      fixed={isTyped ? ofAnyType : types}
      keyOf={keyOf}
      columns={columns}
      flashOf={({ status }) => status}
      example="status=Failed"
      record={(id) => <OperationRecord id={id} />}
      recordTitle="Operation"
      view="operations"
      actions={actions}
      empty={empty}
    >
      {children}
    </Browse>
  );
}
