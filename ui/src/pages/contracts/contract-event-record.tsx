import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';

export function ContractEventRecord({ id }: { readonly id: string }) {
  const found = useRead(recordSubject(id), ['blockchain event'], (client, signal) =>
    client.getBlockchainEvent({ path: { eventid: id }, signal }),
  );
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={6} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} what="event" onRetry={retry} />;
  }
  const { value, text } = found.data;
  const { name, source, timestamp, protocolId, listener, tx, output, info } = value;
  return (
    <article aria-label={`Event ${id}`}>
      <Section title={name}>
        <Facts
          of={[
            ['Id', <Id key="id" id={id} what="the id of the event" isWhole />],
            ['Source', <Text key="source" value={source} />],
            ['Block time', <Time key="time" iso={timestamp} />],
            [
              'Position',
              <code key="place" title="block/transaction/log">
                {protocolId}
              </code>,
            ],
            [
              'Listener',
              listener === undefined ? undefined : (
                <Link to={{ page: 'contracts', id: 'listeners', filters: [], open: listener }}>
                  <code title={listener}>{listener.slice(0, 8)}</code>
                </Link>
              ),
            ],
            [
              'Transaction hash',
              tx.blockchainId === undefined ? undefined : <Id id={tx.blockchainId} what="the transaction hash" />,
            ],
          ]}
        />
      </Section>
      <Section title="Output">
        <Json text={output} what="the output" />
      </Section>
      <Section title="Chain details">
        <Json text={info} what="the chain details" />
      </Section>
      <Section title="As served">
        <Json text={text} what="the event" />
      </Section>
    </article>
  );
}
