import { useState } from 'react';
import { Operation } from '../../../../src/wire/chain/transaction.js';
import { ActionForm } from '../action-form.js';
import { useAction } from '../use-action.js';
import { retryAction } from './retry-action.js';
import { RetryTerms } from './retry-terms.js';

/** Tries a failed operation again, in the place where its transaction is followed. */
export function RetryHere({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  const run = useAction(Operation, 'operations', 'transactions', 'messages');
  if (!isOpen)
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Try again
      </button>
    );
  return (
    <ActionForm action={retryAction(id)} run={run} submit="Try again" onDone={() => setOpen(false)}>
      <RetryTerms />
    </ActionForm>
  );
}
