import type { ReactNode } from 'react';
import type { ContractListener } from '../../../../src/wire/contracts/contract.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { ContractActions } from './forms/contract-actions.js';
import { ListenerRecord } from './listener-record.js';
import { ListenerState } from './listener-state.js';

const keyOf = ({ id }: ContractListener) => id;

const columns: readonly Column<ContractListener>[] = [
  { name: 'name', title: 'Listener', render: ({ name }) => <Text value={name} /> },
  { name: 'state', title: 'State', width: 112, render: (listener) => <ListenerState listener={listener} /> },
  { name: 'signature', title: 'Event', from: 340, render: ({ signature }) => <Text value={signature} /> },
  { name: 'topic', title: 'Topic', width: 160, from: 760, render: ({ topic }) => <Text value={topic} /> },
  {
    name: 'age',
    title: 'Age',
    width: 104,
    isNumber: true,
    from: 560,
    sort: { field: 'created', keyOf: ({ created }) => created },
    render: ({ created }) => <Time iso={created} />,
  },
];

export function ListenersView({ children }: { readonly children: ReactNode }) {
  return (
    <Browse
      title="Contracts"
      label="listeners"
      collection="listeners"
      subject="listeners"
      list="listContractListeners"
      keyOf={keyOf}
      columns={columns}
      flashOf={({ state }) => state}
      example="topic=^escrow"
      record={(id) => <ListenerRecord id={id} />}
      recordTitle="Listener"
      view="listeners"
      actions={<ContractActions />}
      empty={
        <Empty
          sentence="No listeners yet. A listener delivers events of a contract as events of this node."
          command={`stack api POST apis/escrow/listeners/Opened -d '{"topic":"escrow"}'`}
        >
          <ContractActions only={['listener']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}
