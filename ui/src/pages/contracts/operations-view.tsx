import type { ReactNode } from 'react';
import type { Operation } from '../../../../src/wire/transaction.js';
import { usePlace } from '../../api/explorer.js';
import { Browse } from '../../components/browse.js';
import { Empty } from '../../components/empty.js';
import { newestFirst } from '../../components/order.js';
import type { Column } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { ContractActions } from './forms/contract-actions.js';
import { OperationRecord } from './operation-record.js';
import { OperationState } from './operation-state.js';

const keyOf = ({ id }: Operation) => id;
const compare = newestFirst<Operation>(({ created }) => created, keyOf);
const ofContracts = [
  ['type', 'blockchain_deploy'],
  ['type', 'blockchain_invoke'],
] as const;
const ofAnyType = [] as const;

const columns: readonly Column<Operation>[] = [
  { name: 'id', title: 'Operation', width: 104, render: ({ id }) => <code title={id}>{id.slice(0, 8)}</code> },
  { name: 'status', title: 'Status', width: 120, render: ({ status }) => <OperationState status={status} /> },
  { name: 'type', title: 'Type', width: 176, from: 480, render: ({ type }) => <Text value={type} /> },
  { name: 'error', title: 'Error', from: 640, render: ({ error = '' }) => <Text value={error} /> },
  { name: 'age', title: 'Age', width: 104, isNumber: true, render: ({ created }) => <Time iso={created} /> },
];

/** Deployments and calls of contracts. */
export function OperationsView({ children }: { readonly children: ReactNode }) {
  const { filters } = usePlace();
  const isTyped = filters.some((filter) => filter.startsWith('type='));
  return (
    <Browse
      title="Contracts"
      label="operations"
      collection="operations"
      subject="operations"
      list="listOperations"
      fixed={isTyped ? ofAnyType : ofContracts}
      keyOf={keyOf}
      compare={compare}
      columns={columns}
      flashOf={({ status }) => status}
      example="status=Failed"
      record={(id) => <OperationRecord id={id} />}
      recordTitle="Operation"
      view="operations"
      actions={<ContractActions />}
      empty={
        <Empty
          sentence="This node has deployed no contract and called none yet."
          command="stack chain deploy Escrow.json"
        >
          <ContractActions only={['deploy']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}
