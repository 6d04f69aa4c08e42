import { useState } from 'react';
import { Operation } from '../../../../src/wire/chain/transaction.js';
import { ActionForm } from '../action-form.js';
import { useAction } from '../use-action.js';
import { retryAction } from './retry-action.js';
import { RetryTerms } from './retry-terms.js';

/** Retries a failed operation in place, within the progress of its transaction. */
export function RetryHere({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  const run = useAction(Operation, 'operations', 'transactions', 'messages');
  if (!isOpen)
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Retry
      </button>
    );
  return (
    <ActionForm action={retryAction(id)} run={run} submit="Retry" onDone={() => setOpen(false)}>
      <RetryTerms />
    </ActionForm>
  );
}
