import type { Status } from '../../../../src/wire/network/status.js';
import { Section } from '../../components/page/section.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import styles from './overview.module.css';

/** The other nodes, and the services that this node waits for. */
export function Peers({ status }: { readonly status: Status }) {
  const { peers, waiting } = status.parley;
  return (
    <Section title="Peers">
      {waiting.map(({ service, since, error }) => (
        <p key={`${service} ${error}`} className={styles.waiting}>
          Waiting for {service} since <Time iso={since} />: <Text value={error} />
        </p>
      ))}
      {peers.length === 0 ? (
        <p className="muted">This is the only node of the network.</p>
      ) : (
        <SmallTable
          label="Peers"
          rows={peers}
          keyOf={({ node }) => node}
          columns={[
            { title: 'Node', render: ({ node }) => <Text value={node} /> },
            {
              title: 'Last contact',
              render: ({ lastContact }) =>
                lastContact === undefined ? <span className="muted">none yet</span> : <Time iso={lastContact} />,
            },
            { title: 'Undelivered', isNumber: true, render: ({ outbox }) => outbox },
          ]}
        />
      )}
    </Section>
  );
}
