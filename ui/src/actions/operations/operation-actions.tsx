import { Type } from '@sinclair/typebox';
import type { Operation } from '../../../../src/wire/chain/transaction.js';
import { ActionButton } from '../action-button.js';
import { cancelBatchAction } from './retry-action.js';
import { RetryButton } from './retry-button.js';

interface Props {
  readonly operation: Operation;
  /** The batch that it pins, if known. */
  readonly batch?: string | undefined;
}

/** The buttons for a failed operation that was not retried yet. */
export function OperationActions({ operation: { id, status, type, retry }, batch }: Props) {
  if (status !== 'Failed') return null;
  const isOpen = retry === undefined;
  return (
    <>
      <RetryButton id={id} isOffered={isOpen} />
      {isOpen && type === 'blockchain_pin_batch' && batch !== undefined && <CancelBatch batch={batch} />}
    </>
  );
}

function CancelBatch({ batch }: { readonly batch: string }) {
  return (
    <ActionButton
      label="Cancel batch"
      title="Cancel the batch"
      action={cancelBatchAction(batch)}
      schema={Type.Null()}
      subjects={['operations', 'transactions', 'messages', 'batches']}
    >
      <p>Its messages become cancelled, and later messages of the same author continue. This cannot be undone.</p>
    </ActionButton>
  );
}
