import type { ReactNode } from 'react';
import { OperationsView } from '../../actions/operations/operations-view.js';
import { Empty } from '../../components/page/empty.js';
import { TokenActions } from './forms/token-actions.js';

const types = [
  ['type', 'token_create_pool'],
  ['type', 'token_activate_pool'],
  ['type', 'token_transfer'],
  ['type', 'token_approval'],
] as const;

export function TokenOperationsView({ children }: { readonly children: ReactNode }) {
  return (
    <OperationsView
      title="Tokens"
      types={types}
      actions={<TokenActions />}
      empty={
        <Empty sentence="No token operations by this node yet." command="stack pool create coins --type fungible">
          <TokenActions only={['pool']} />
        </Empty>
      }
    >
      {children}
    </OperationsView>
  );
}
