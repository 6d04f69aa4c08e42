import { readPage } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { useClientOf } from '../../api/client-of.js';
import { useRead } from '../../api/read.js';

const maxShown = '100';

/** The operations of this node for a message, newest first: its batch, and the transfer or call that it belongs to. */
export function useOperationsOf({ txid, header, state }: Message) {
  // A definition is shown in the namespace that it is for, and its operations are where the message is.
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
    // A message that was staged gets a transaction of its own; the rows stay while those of both are read.
    { isEnabled: transactions.length > 0, keepsPrevious: true },
  );
}
