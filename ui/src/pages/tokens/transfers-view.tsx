import { type ReactNode, useMemo } from 'react';
import type { TokenPool, TokenTransfer } from '../../../../src/wire/token.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import { KeyOwner } from '../../components/record/key-owner.js';
import { Link } from '../../components/link.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { usePools } from './pools.js';
import { TransferAmount } from './transfer-amount.js';
import { TransferRecord } from './transfer-record.js';
import { TokenActions } from './forms/token-actions.js';

const keyOf = ({ localId }: TokenTransfer) => localId;

export function TransfersView({ children }: { readonly children: ReactNode }) {
  const pools = usePools();
  const columns = useMemo(() => columnsWith(pools), [pools]);
  return (
    <Browse
      title="Tokens"
      label="transfers"
      collection="transfers"
      subject="transfers"
      list="listTokenTransfers"
      keyOf={keyOf}
      columns={columns}
      example="type=mint"
      record={(id) => <TransferRecord id={id} />}
      recordTitle="Transfer"
      view="transfers"
      actions={<TokenActions />}
      empty={
        <Empty
          sentence="No transfers yet. Mints, transfers and burns appear here when they are on the chain."
          command="stack mint 100 --pool coins"
        >
          <TokenActions only={['mint']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}

function columnsWith(pools: ReadonlyMap<string, TokenPool>): readonly Column<TokenTransfer>[] {
  return [
    { name: 'type', title: 'Type', width: 80, render: ({ type }) => type },
    {
      name: 'pool',
      title: 'Pool',
      render: ({ pool }) => <Text value={pools.get(pool)?.name ?? pool.slice(0, 8)} />,
    },
    {
      name: 'amount',
      title: 'Amount',
      width: 136,
      isNumber: true,
      sort: { field: 'amount' },
      render: (transfer) => <TransferAmount transfer={transfer} pool={pools.get(transfer.pool)} isShort />,
    },
    {
      name: 'from',
      title: 'From',
      width: 88,
      from: 600,
      render: ({ from }) => (from === undefined ? null : <KeyOwner value={from} />),
    },
    {
      name: 'to',
      title: 'To',
      width: 88,
      from: 600,
      render: ({ to }) => (to === undefined ? null : <KeyOwner value={to} />),
    },
    {
      name: 'message',
      title: 'Message',
      width: 104,
      from: 760,
      render: ({ message }) =>
        message === undefined ? null : (
          <Link to={{ page: 'messages', id: undefined, filters: [], open: message }}>
            <code title={message}>{message.slice(0, 8)}</code>
          </Link>
        ),
    },
    {
      name: 'age',
      title: 'Age',
      width: 96,
      isNumber: true,
      from: 440,
      sort: { field: 'created' },
      render: ({ created }) => (created === undefined ? null : <Time iso={created} />),
    },
  ];
}
