import type { ReactNode } from 'react';
import type { BlockchainEvent } from '../../../../src/wire/contracts/blockchain-event.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { beginningOf } from '../../components/text/marked-text.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { ContractActions } from './forms/contract-actions.js';
import { ContractEventRecord } from './contract-event-record.js';

const keyOf = ({ id }: BlockchainEvent) => id;
const previewCharacters = 160;

const columns: readonly Column<BlockchainEvent>[] = [
  { name: 'name', title: 'Event', width: 160, render: ({ name }) => <Text value={name} /> },
  {
    name: 'output',
    title: 'Output',
    render: ({ output }) => (
      <code>
        <Text value={beginningOf(output, previewCharacters)} />
      </code>
    ),
  },
  { name: 'source', title: 'Source', width: 112, from: 900, render: ({ source }) => <Text value={source} /> },
  {
    name: 'place',
    title: 'Position',
    width: 216,
    from: 760,
    render: ({ protocolId }) => <code title="block/transaction/log">{protocolId}</code>,
  },
  {
    name: 'age',
    title: 'Age',
    width: 104,
    isNumber: true,
    sort: { field: 'timestamp', keyOf: ({ timestamp }) => timestamp },
    render: ({ timestamp }) => <Time iso={timestamp} />,
  },
];

/** The list of contract events that the listeners of this node have received. */
export function ContractEventsView({ children }: { readonly children: ReactNode }) {
  return (
    <Browse
      title="Contracts"
      label="contract events"
      collection="blockchainevents"
      subject="blockchainevents"
      list="listBlockchainEvents"
      time="timestamp"
      keyOf={keyOf}
      columns={columns}
      example="name=Transfer"
      record={(id) => <ContractEventRecord id={id} />}
      recordTitle="Event"
      view="events"
      actions={<ContractActions />}
      empty={
        <Empty
          sentence="No contract events yet. Listen for an event to see it here."
          command="stack events tail --type blockchain_event_received"
        >
          <ContractActions only={['listener']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}
