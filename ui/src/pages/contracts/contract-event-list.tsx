import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Link } from '../../components/link.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { beginningOf } from '../../components/text/marked-text.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';

const previewCharacters = 160;

/** The newest events that some listeners have received. */
export function ContractEventList({ listeners }: { readonly listeners: readonly string[] }) {
  const found = useRead('blockchainevents', ['of listeners', listeners], (client, signal) => {
    const where = [['limit', '20'] as const, ...listeners.map((id) => ['listener', id] as const)];
    return readPage(client, 'listBlockchainEvents', where, signal);
  });
  const rows = found.data?.entries.map(({ value }) => value) ?? [];
  if (found.error !== null) return <Failure error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return <Skeleton rows={2} />;
  if (rows.length === 0) return <p className="muted">No events yet. Events that the contract emits appear here.</p>;
  return (
    <SmallTable
      label="Contract events"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Event',
          isWhole: true,
          render: ({ id, name }) => (
            <Link to={{ page: 'contracts', id: 'events', filters: [], open: id }}>
              <Text value={name} />
            </Link>
          ),
        },
        {
          title: 'Output',
          render: ({ output }) => (
            <code>
              <Text value={beginningOf(output, previewCharacters)} />
            </code>
          ),
        },
        { title: 'Age', isNumber: true, render: ({ timestamp }) => <Time iso={timestamp} /> },
      ]}
    />
  );
}
