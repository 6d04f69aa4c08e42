import { type ReactNode, useMemo } from 'react';
import type { TokenApproval, TokenPool } from '../../../../src/wire/token.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import { KeyOwner } from '../../components/record/key-owner.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { ApprovalRecord } from './approval-record.js';
import { ApprovalState } from './approval-state.js';
import { usePools } from './pools.js';
import { TokenActions } from './forms/token-actions.js';

const keyOf = ({ localId }: TokenApproval) => localId;

export function ApprovalsView({ children }: { readonly children: ReactNode }) {
  const pools = usePools();
  const columns = useMemo(() => columnsWith(pools), [pools]);
  return (
    <Browse
      title="Tokens"
      label="approvals"
      collection="approvals"
      subject="approvals"
      list="listTokenApprovals"
      keyOf={keyOf}
      columns={columns}
      flashOf={({ active, approved }) => `${active} ${approved}`}
      example="approved=true"
      record={(id) => <ApprovalRecord id={id} />}
      recordTitle="Approval"
      view="approvals"
      actions={<TokenActions />}
      empty={
        <Empty
          sentence="No approvals yet. An approved operator may transfer and burn tokens of the owner."
          command={`stack api POST tokens/approvals -d '{"pool":"coins","operator":"bob"}'`}
        >
          <TokenActions only={['approve']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}

function columnsWith(pools: ReadonlyMap<string, TokenPool>): readonly Column<TokenApproval>[] {
  return [
    { name: 'owner', title: 'Owner', render: ({ key }) => <KeyOwner value={key} /> },
    { name: 'operator', title: 'Operator', render: ({ operator }) => <KeyOwner value={operator} /> },
    {
      name: 'pool',
      title: 'Pool',
      from: 520,
      render: ({ pool }) => <Text value={pools.get(pool)?.name ?? pool.slice(0, 8)} />,
    },
    { name: 'state', title: 'State', width: 112, render: (approval) => <ApprovalState approval={approval} /> },
    {
      name: 'age',
      title: 'Age',
      width: 96,
      isNumber: true,
      from: 480,
      sort: { field: 'created' },
      render: ({ created }) => (created === undefined ? null : <Time iso={created} />),
    },
  ];
}
