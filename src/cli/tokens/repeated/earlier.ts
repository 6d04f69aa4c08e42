import { readPage } from '../../../client/page.js';
import { check } from '../../../wire/check.js';
import { write } from '../../../wire/json/json.js';
import { read } from '../../../wire/json/json-reader.js';
import { TokenTransfer, TransferInput } from '../../../wire/token.js';
import type { PartyNode } from '../../requests/target.js';
import { requireOpen } from '../await.js';

/**
 * The record of an earlier operation as in the response to its request, so that the chain need not have the transfer.
 * Undefined if the transaction moves no tokens.
 *
 * @throws CliError REJECTED if the operation has failed; ClientError, UnreachableError
 */
export async function earlierAccepted(
  party: PartyNode,
  transaction: string,
  signal: AbortSignal,
): Promise<{ readonly value: TokenTransfer; readonly text: string } | undefined> {
  const { client } = party;
  const { value: operations } = await client.listTransactionOperations({
    path: { transactionid: transaction },
    signal,
  });
  const operation = operations.find(({ type }) => type === 'token_transfer');
  const { value: input } = operation?.input === undefined ? {} : read(operation.input, TransferInput);
  if (operation === undefined || !check(TransferInput, input)) return undefined;
  await requireOpen(party, transaction, signal);
  const attached = await readPage(client, 'listMessages', [['txparent.id', transaction]], signal);
  const message = attached.entries[0]?.value;
  const { localId, pool, kind, key, from, to, amount, tokenIndex, uri } = input;
  const value: TokenTransfer = {
    type: kind,
    localId,
    pool,
    ...(tokenIndex !== undefined && { tokenIndex }),
    ...(uri !== undefined && { uri }),
    connector: operation.plugin,
    namespace: operation.namespace,
    key,
    from,
    ...(kind !== 'burn' && { to }),
    amount,
    ...(message !== undefined && { message: message.header.id, messageHash: message.hash }),
    tx: { type: 'token_transfer', id: transaction },
  };
  return { value, text: write(TokenTransfer, value) };
}
