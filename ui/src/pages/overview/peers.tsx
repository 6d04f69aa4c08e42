import type { Status } from '../../../../src/wire/status.js';
import { Section } from '../../components/section.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import styles from './overview.module.css';

/** The other nodes, and the services that this one waits for. */
export function Peers({ status }: { readonly status: Status }) {
  const { peers, waiting } = status.parley;
  return (
    <Section title="Peers">
      {waiting.map(({ service, since, error }) => (
        <p key={service} className={styles.waiting}>
          Waits for {service} since <Time iso={since} />: <Text value={error} />
        </p>
      ))}
      {peers.length === 0 ? (
        <p className="muted">This is the only node of the network.</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Last contact</th>
              <th scope="col" data-number="true">
                Not delivered
              </th>
            </tr>
          </thead>
          <tbody>
            {peers.map(({ node, lastContact, outbox }) => (
              <tr key={node}>
                <td>
                  <Text value={node} />
                </td>
                <td>
                  {lastContact === undefined ? <span className="muted">none yet</span> : <Time iso={lastContact} />}
                </td>
                <td data-number="true">{outbox}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
