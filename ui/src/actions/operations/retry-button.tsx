import { Operation } from '../../../../src/wire/chain/transaction.js';
import { ActionButton } from '../action-button.js';
import { Follow } from '../follow.js';
import { retryAction } from './retry-action.js';
import { RetryTerms } from './retry-terms.js';

interface Props {
  readonly id: string;
  /** Whether the operation can be tried again; that ends while its result is still followed. */
  readonly isOffered: boolean;
}

/** Tries a failed operation again, and follows the new one until it has ended. */
export function RetryButton({ id, isOffered }: Props) {
  return (
    <ActionButton
      label="Try again"
      isOffered={isOffered}
      title="Try the operation again"
      action={retryAction(id)}
      schema={Operation}
      subjects={['operations', 'transactions', 'messages']}
      result={(operation) => <Follow kind="operation" id={operation.id} />}
    >
      <RetryTerms />
    </ActionButton>
  );
}
