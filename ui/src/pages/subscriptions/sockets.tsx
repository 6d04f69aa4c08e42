import type { Websockets } from '../../../../src/wire/events/websocket.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Section } from '../../components/page/section.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { FilterText } from './columns.js';

type Connection = Websockets['connections'][number];

/** The open event streams of the namespace, of ephemeral and durable subscriptions. */
export function Sockets() {
  const sockets = useRead('subscriptions', ['sockets'], (client, signal) => client.getWebsockets({ signal }));
  const connections = sockets.data?.value.connections ?? [];
  return (
    <Section title={`Connections · ${connections.length}`}>
      {sockets.error !== null && <Failure error={sockets.error} onRetry={() => void sockets.refetch()} />}
      {sockets.data !== undefined && connections.length === 0 && (
        <p className="muted">No connections in this namespace.</p>
      )}
      {connections.length > 0 && (
        <SmallTable label="Connections" columns={columns} rows={connections.flatMap(rowsOf)} keyOf={({ key }) => key} />
      )}
    </Section>
  );
}

/** A subscription of a connection. A connection without subscriptions has one row too. */
interface SocketRow {
  readonly key: string;
  readonly connection: Connection;
  readonly subscription: Connection['subscriptions'][number] | undefined;
}

function rowsOf(connection: Connection): readonly SocketRow[] {
  const { id, subscriptions } = connection;
  if (subscriptions.length === 0) return [{ key: id, connection, subscription: undefined }];
  return subscriptions.map((subscription, index) => ({ key: `${id} ${index}`, connection, subscription }));
}

const columns = [
  {
    title: 'Address',
    isWhole: true,
    render: ({ connection: { remoteAddress, userAgent } }: SocketRow) => (
      <span title={userAgent}>
        <Text value={remoteAddress} />
      </span>
    ),
  },
  { title: 'Subscription', render: ({ subscription }: SocketRow) => <Name subscription={subscription} /> },
  {
    title: 'Filter',
    from: 520,
    render: ({ subscription }: SocketRow) => subscription && <FilterText filter={subscription.filter} />,
  },
  { title: 'State', render: ({ subscription }: SocketRow) => subscription && <Active is={subscription.active} /> },
  {
    title: 'Started',
    isNumber: true,
    render: ({ subscription }: SocketRow) => subscription && <Time iso={subscription.startTime} />,
  },
];

function Name({ subscription }: Pick<SocketRow, 'subscription'>) {
  if (subscription === undefined) return <span className="muted">none</span>;
  return subscription.ephemeral ? <span className="muted">ephemeral</span> : <Text value={subscription.name ?? ''} />;
}

function Active({ is }: { readonly is: boolean }) {
  return is ? (
    <Tone tone="confirmed" icon="check" word="active" />
  ) : (
    <Tone tone="waiting" icon="waiting" word="standby" />
  );
}
