import { OperationRecord } from '../../actions/operations/operation-record.js';
import { type Part, Parts } from '../../components/page/parts.js';
import { ApprovalRecord } from './approval-record.js';
import { ApprovalsView } from './approvals-view.js';
import { PoolRecord } from './pool-record.js';
import { PoolsView } from './pools-view.js';
import { TokenRecord } from './token-record.js';
import { NonFungibleView } from './nonfungible-view.js';
import { TokenOperationsView } from './token-operations-view.js';
import { TransferRecord } from './transfer-record.js';
import { TransfersView } from './transfers-view.js';

const parts: readonly [Part, ...Part[]] = [
  {
    id: 'pools',
    title: 'Pools and balances',
    List: PoolsView,
    recordTitle: 'Pool',
    record: (id) => <PoolRecord id={id} />,
  },
  {
    id: 'transfers',
    title: 'Transfers',
    List: TransfersView,
    recordTitle: 'Transfer',
    record: (id) => <TransferRecord id={id} />,
  },
  {
    id: 'approvals',
    title: 'Approvals',
    List: ApprovalsView,
    recordTitle: 'Approval',
    record: (id) => <ApprovalRecord id={id} />,
  },
  {
    id: 'nonfungible',
    title: 'Non-fungible tokens',
    List: NonFungibleView,
    recordTitle: 'Token',
    record: (id) => <TokenRecord id={id} />,
  },
  {
    id: 'operations',
    title: 'Operations',
    List: TokenOperationsView,
    recordTitle: 'Operation',
    record: (id) => <OperationRecord id={id} />,
  },
];

/** Pools with balances, transfers, approvals, non-fungible tokens and operations. */
export function TokensPage() {
  return <Parts of={parts} />;
}
