import { readPage } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/message.js';
import type { Operation } from '../../../../src/wire/transaction.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/failure.js';
import { Section } from '../../components/section.js';
import { SmallTable } from '../../components/small-table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { OperationActions } from './operation-actions.js';
import { OperationLink } from './operation-link.js';
import { OperationState } from './operation-state.js';
import { RewindButton } from './rewind-button.js';

const maxShown = '100';

/** The operations of this node for a message: its batch, and the transfer or call that it belongs to. */
export function MessageOperations({ message }: { readonly message: Message }) {
  const { txid, batch, header } = message;
  const transactions = [txid, header.txparent?.id].flatMap((id) => id ?? []);
  const found = useRead(
    'operations',
    ['of transactions', transactions],
    (client, signal) =>
      readPage(
        client,
        'listOperations',
        [['limit', maxShown], ...transactions.map((id) => ['tx', id] as const)],
        signal,
      ),
    // A message that was staged gets a transaction of its own; the rows stay while those of both are read.
    { isEnabled: transactions.length > 0, keepsPrevious: true },
  );
  const rows = found.data?.entries.map(({ value }) => value) ?? [];
  if (found.error !== null)
    return (
      <Section title="Operations">
        <Failure error={found.error} request="GET operations" onRetry={() => void found.refetch()} />
      </Section>
    );
  if (rows.length === 0) return null;
  return (
    <Section
      title={`Operations · ${rows.length}`}
      actions={message.state === 'ready' && batch !== undefined && <RewindButton batch={batch} />}
    >
      <SmallTable
        label="Operations"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Operation', render: ({ id }) => <OperationLink id={id} /> },
          { title: 'Type', render: ({ type }) => <Text value={type} /> },
          {
            title: 'Status',
            render: (row) => <Outcome operation={row} batch={message.state === 'ready' ? batch : undefined} />,
          },
          { title: 'Updated', isNumber: true, render: ({ updated }) => <Time iso={updated} /> },
        ]}
      />
    </Section>
  );
}

function Outcome({ operation, batch }: { readonly operation: Operation; readonly batch: string | undefined }) {
  const { status, error, retry } = operation;
  return (
    <>
      <OperationState status={status} />{' '}
      {retry !== undefined && (
        <>
          tried again as <OperationLink id={retry} />{' '}
        </>
      )}
      {error !== undefined && (
        <>
          <Text value={error} />{' '}
        </>
      )}
      <OperationActions operation={operation} batch={batch} />
    </>
  );
}
