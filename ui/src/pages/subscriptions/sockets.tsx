import type { Websockets } from '../../../../src/wire/websocket.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/failure.js';
import { Section } from '../../components/section.js';
import { Tone } from '../../components/state.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { FilterText } from './columns.js';
import styles from './subscriptions.module.css';

type Connection = Websockets['connections'][number];

/** The open event streams of the namespace: of ephemeral subscriptions, and of applications that take durable ones. */
export function Sockets() {
  const sockets = useRead('subscriptions', ['sockets'], (client, signal) => client.getWebsockets({ signal }));
  const connections = sockets.data?.value.connections ?? [];
  return (
    <Section title={`Connections · ${connections.length}`}>
      {sockets.error !== null && (
        <Failure error={sockets.error} request="GET websockets" onRetry={() => void sockets.refetch()} />
      )}
      {sockets.data !== undefined && connections.length === 0 && (
        <p className="muted">No application is connected to the event stream of this namespace.</p>
      )}
      {connections.length > 0 && (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Connections">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Subscription</th>
                <th scope="col">Filter</th>
                <th scope="col">State</th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
              {connections.map((each) => (
                <SocketRows key={each.id} connection={each} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}

function SocketRows({ connection: { remoteAddress, userAgent, subscriptions } }: { readonly connection: Connection }) {
  const from = (
    <span title={userAgent}>
      <Text value={remoteAddress} />
    </span>
  );
  if (subscriptions.length === 0)
    return (
      <tr>
        <td>{from}</td>
        <td className="muted" colSpan={4}>
          nothing started yet
        </td>
      </tr>
    );
  return subscriptions.map(({ name, ephemeral, filter, active, startTime }, index) => (
    <tr key={index}>
      <td>{from}</td>
      <td>{ephemeral ? <span className="muted">ephemeral</span> : <Text value={name ?? ''} />}</td>
      <td>
        <FilterText filter={filter} />
      </td>
      <td>
        {active ? (
          <Tone tone="confirmed" icon="check" word="active" />
        ) : (
          <Tone tone="waiting" icon="waiting" word="stands by" />
        )}
      </td>
      <td>
        <Time iso={startTime} />
      </td>
    </tr>
  ));
}
