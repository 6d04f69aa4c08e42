import type { Message } from '../../../../src/wire/messages/message.js';
import { useClientOf } from '../../api/client-of.js';
import { useNodeNames } from '../../api/node-names.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { MessageLink } from './message-link.js';
import styles from './messages.module.css';

const maxListed = 50;

export function BatchFacts({ message: { batch: id, header, state } }: { readonly message: Message }) {
  const named = useNodeNames();
  // The batch is in the namespace of the message, which for a definition differs from the selected one.
  const client = useClientOf(header.namespace);
  const batch = useRead(
    'batches',
    ['one', id, state],
    (_, signal) => client.getBatch({ path: { batchid: id ?? '' }, signal }),
    { isEnabled: id !== undefined },
  );
  if (id === undefined) return null;
  if (batch.data === undefined)
    return (
      <Section title="Batch">
        {batch.error === null ? (
          <Skeleton rows={4} />
        ) : (
          <Failure error={batch.error} what="batch" onRetry={() => void batch.refetch()} />
        )}
      </Section>
    );
  const { value } = batch.data;
  const others = (value.manifest?.messages ?? []).filter((each) => each.id !== header.id);
  return (
    <Section title="Batch">
      <Facts
        of={[
          ['Id', <Id key="id" id={value.id} what="the id of the batch" />],
          ['Type', value.type],
          ['Author', <Author key="author" did={value.author} />],
          ['Node', value.node === undefined ? undefined : <Text value={named(value.node)} />],
          ['Hash', <Id key="hash" id={value.hash} what="the hash of the batch" />],
          ['Created', value.created === null ? undefined : <Time iso={value.created} />],
          ['Confirmed', value.confirmed === null ? undefined : <Time iso={value.confirmed} />],
          [
            'Shared store',
            value.payloadRef === undefined ? undefined : <Id id={value.payloadRef} what="the payload reference" />,
          ],
          ['Transaction', <Id key="tx" id={value.tx.id} what="the transaction of the batch" />],
          ['Void', value.void === undefined ? undefined : <Text value={value.void} />],
          ['Messages', value.manifest === null ? undefined : value.manifest.messages.length.toLocaleString('en')],
        ]}
      />
      {others.length > 0 && (
        <ul className={styles.others} aria-label="Other messages of the batch">
          {others.slice(0, maxListed).map((each) => (
            <li key={each.id}>
              <MessageLink id={each.id} />
            </li>
          ))}
          {others.length > maxListed && <li className="muted">and {others.length - maxListed} more</li>}
        </ul>
      )}
    </Section>
  );
}
