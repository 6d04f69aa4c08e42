import type { ReactNode } from 'react';
import type { BlockchainEvent } from '../../../../src/wire/contracts/blockchain-event.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { beginningOf } from '../../components/text/marked-text.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { ContractActions } from './forms/contract-actions.js';
import { HeardRecord } from './heard-record.js';

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
  { name: 'source', title: 'Read by', width: 112, from: 900, render: ({ source }) => <Text value={source} /> },
  {
    name: 'place',
    title: 'On chain',
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

/** The events of contracts that the listeners of this node have heard. */
export function HeardView({ children }: { readonly children: ReactNode }) {
  return (
    <Browse
      title="Contracts"
      label="events"
      collection="blockchainevents"
      subject="blockchainevents"
      list="listBlockchainEvents"
      time="timestamp"
      keyOf={keyOf}
      columns={columns}
      example="name=Transfer"
      record={(id) => <HeardRecord id={id} />}
      recordTitle="Event"
      view="events"
      actions={<ContractActions />}
      empty={
        <Empty
          sentence="No contract has said anything that this node listens for. Listen for an event, and it appears here."
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
