import { readPage } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { useClientOf } from '../../api/client-of.js';
import { useRead } from '../../api/read.js';

const maxShown = '100';

/** Reads this node's operations for a message, newest first: those of its batch, and of its transfer or call. */
export function useOperationsOf({ txid, header, state }: Message) {
  // The operations are in the namespace of the message, which for a definition differs from the selected one.
  const client = useClientOf(header.namespace);
  const transactions = [txid, header.txparent?.id].flatMap((id) => id ?? []);
  return useRead(
    'operations',
    ['of transactions', transactions, state],
    (_, signal) =>
      readPage(
        client,
        'listOperations',
        [['limit', maxShown], ...transactions.map((id) => ['tx', id] as const)],
        signal,
      ),
    // A staged message gets another transaction later; keep the rows while those of both load.
    { isEnabled: transactions.length > 0, keepsPrevious: true },
  );
}
