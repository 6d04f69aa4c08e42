import type { ReactNode } from 'react';
import { usePlace } from '../../api/explorer.js';
import { Alone } from '../../components/browse.js';
import { type View, Views } from '../../components/views.js';
import { ApprovalRecord } from './approval-record.js';
import { ApprovalsView } from './approvals-view.js';
import { PoolRecord } from './pool-record.js';
import { PoolsView } from './pools-view.js';
import { SingleRecord } from './single-record.js';
import { SinglesView } from './singles-view.js';
import { TransferRecord } from './transfer-record.js';
import { TransfersView } from './transfers-view.js';

const views: readonly View[] = [
  { id: undefined, title: 'Pools and balances' },
  { id: 'transfers', title: 'Transfers' },
  { id: 'approvals', title: 'Approvals' },
  { id: 'nonfungible', title: 'Non-fungible tokens' },
];

const records: Readonly<
  Record<string, { readonly title: string; readonly render: (id: string) => ReactNode } | undefined>
> = {
  pools: { title: 'Pool', render: (id) => <PoolRecord key={id} id={id} /> },
  transfers: { title: 'Transfer', render: (id) => <TransferRecord key={id} id={id} /> },
  approvals: { title: 'Approval', render: (id) => <ApprovalRecord key={id} id={id} /> },
  nonfungible: { title: 'Token', render: (id) => <SingleRecord key={id} id={id} /> },
};

/** Pools, who holds what of them, and how that came about; or one record alone. */
export function TokensPage() {
  const { id = '' } = usePlace();
  const [view = '', ...rest] = id.split('/');
  const record = records[view];
  if (record !== undefined && rest.length > 0)
    return <Alone title={record.title}>{record.render(rest.join('/'))}</Alone>;
  const nav = <Views label="Parts of the page" of={views} />;
  if (view === 'transfers') return <TransfersView>{nav}</TransfersView>;
  if (view === 'approvals') return <ApprovalsView>{nav}</ApprovalsView>;
  if (view === 'nonfungible') return <SinglesView>{nav}</SinglesView>;
  return <PoolsView>{nav}</PoolsView>;
}
