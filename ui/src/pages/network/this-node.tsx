import type { Status } from '../../../../src/wire/network/status.js';
import { useExplorer } from '../../api/explorer.js';
import { Id } from '../../components/record/id.js';
import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import styles from './network.module.css';

/** This node and its connections to the other nodes. */
export function ThisNode({ status: { node, org, multiparty, parley } }: { readonly status: Status }) {
  const { config } = useExplorer();
  const { chain, peers, waiting } = parley;
  return (
    <ul className={styles.cards} aria-label="Nodes">
      <li className={styles.card}>
        <strong>
          <Text value={node.name} /> <span className="muted">this node</span>
        </strong>
        <p>
          <Text value={org.name} /> ·{' '}
          {node.registered && org.registered ? (
            <Tone tone="confirmed" icon="check" word="registered" />
          ) : (
            <Tone tone="waiting" icon="waiting" word="not registered yet" />
          )}
        </p>
        <p className="muted">
          Version {config.version} · block {chain.processed} of {chain.head ?? 'unknown'} · contract{' '}
          <Id id={multiparty.contract.active.location.address} what="the contract" />
        </p>
        {waiting.map(({ service, since, error }) => (
          <p key={`${service} ${error}`} className={styles.waiting}>
            Waiting for <Text value={service} /> since <Time iso={since} />: <Text value={error} />
          </p>
        ))}
      </li>
      {peers.map(({ node: name, outbox, lastContact }) => (
        <li key={name} className={styles.card}>
          <strong>
            <Text value={name} />
          </strong>
          <p className="muted">
            {lastContact === undefined ? (
              'No contact yet: no private messages have been sent.'
            ) : (
              <>
                Last contact <Time iso={lastContact} />
              </>
            )}
          </p>
          <p>
            {outbox === 0 ? (
              <Tone tone="muted" icon="check" word="nothing to deliver" />
            ) : (
              <Tone tone="waiting" icon="waiting" word={`${outbox} undelivered`} />
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
