import type { ReactNode } from 'react';
import { OperationsView } from '../../actions/operations/operations-view.js';
import { Empty } from '../../components/page/empty.js';
import { ContractActions } from './forms/contract-actions.js';

const types = [
  ['type', 'blockchain_deploy'],
  ['type', 'blockchain_invoke'],
] as const;

export function CallsView({ children }: { readonly children: ReactNode }) {
  return (
    <OperationsView
      title="Contracts"
      types={types}
      actions={<ContractActions />}
      empty={
        <Empty sentence="No deployments or calls by this node yet." command="stack chain deploy Escrow.json">
          <ContractActions only={['deploy']} />
        </Empty>
      }
    >
      {children}
    </OperationsView>
  );
}
