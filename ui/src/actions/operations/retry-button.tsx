import { Operation } from '../../../../src/wire/chain/transaction.js';
import { ActionButton } from '../action-button.js';
import { Follow } from '../follow.js';
import { retryAction } from './retry-action.js';
import { RetryTerms } from './retry-terms.js';

interface Props {
  readonly id: string;
  /** Whether the operation can be retried. This becomes false while the dialog still shows the result. */
  readonly isOffered: boolean;
}

/** A button that retries a failed operation and shows the progress of the new one. */
export function RetryButton({ id, isOffered }: Props) {
  return (
    <ActionButton
      label="Retry"
      isOffered={isOffered}
      title="Retry the operation"
      action={retryAction(id)}
      schema={Operation}
      subjects={['operations', 'transactions', 'messages']}
      result={(operation) => <Follow kind="operation" id={operation.id} />}
    >
      <RetryTerms />
    </ActionButton>
  );
}
