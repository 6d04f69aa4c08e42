import type { TokenPool, TokenTransfer } from '../../../../src/wire/token.js';
import { KeyOwner } from '../../components/record/key-owner.js';
import { Link } from '../../components/link.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Time } from '../../components/text/time.js';
import { TransferAmount } from './transfer-amount.js';

interface Props {
  readonly transfers: readonly TokenTransfer[];
  readonly pool: TokenPool | undefined;
}

/** A short list of transfers of one pool. */
export function TransferTable({ transfers, pool }: Props) {
  return (
    <SmallTable
      label="Transfers"
      rows={transfers}
      keyOf={({ localId }) => localId}
      columns={[
        {
          title: 'Type',
          render: ({ localId, type }) => (
            <Link to={{ page: 'tokens', id: 'transfers', filters: [], open: localId }}>{type}</Link>
          ),
        },
        { title: 'From', render: ({ from }) => (from === undefined ? '' : <KeyOwner value={from} />) },
        { title: 'To', render: ({ to }) => (to === undefined ? '' : <KeyOwner value={to} />) },
        {
          title: 'Amount',
          isNumber: true,
          render: (transfer) => <TransferAmount transfer={transfer} pool={pool} isShort />,
        },
        {
          title: 'Age',
          isNumber: true,
          render: ({ created }) => (created === undefined ? '' : <Time iso={created} />),
        },
      ]}
    />
  );
}
