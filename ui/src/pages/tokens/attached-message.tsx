import { readPage } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { DataItem } from '../../components/record/data-item.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { recordSubject } from '../../live/invalidator.js';
import styles from './tokens.module.css';

interface Props {
  readonly message: string | undefined;
  readonly hash: string | undefined;
}

/** The message attached to a token operation, and its recipients. */
export function AttachedMessage({ message: id, hash }: Props) {
  // A list request answers with an empty list, not an error, if the message is private to others.
  const found = useRead(
    recordSubject(id ?? ''),
    ['attached'],
    async (client, signal) => {
      const { entries } = await readPage(client, 'listMessages', [['id', id ?? '']], signal);
      return entries[0]?.value ?? null;
    },
    { isEnabled: id !== undefined },
  );
  if (id === undefined)
    return (
      <Section title="Message">
        <p className="muted">No message attached.</p>
      </Section>
    );
  const about = (
    <Facts of={[['Hash', hash === undefined ? undefined : <Id id={hash} what="the hash of the message" />]]} />
  );
  if (found.data === undefined)
    return (
      <Section title="Message">
        {found.error === null ? (
          <Skeleton rows={2} />
        ) : (
          <Failure error={found.error} onRetry={() => void found.refetch()} />
        )}
      </Section>
    );
  if (found.data === null)
    return (
      <Section title="Message">
        <p className="muted">
          This node does not have the message <code>{id.slice(0, 8)}</code>: it is private to others, or has not arrived
          yet. Its hash is on the chain.
        </p>
        {about}
      </Section>
    );
  return (
    <Section
      title="Message"
      actions={<Link to={{ page: 'messages', id: undefined, filters: [], open: id }}>Open message</Link>}
    >
      <Facts
        of={[
          ['State', <State key="state" state={found.data.state} />],
          ['Author', <Author key="author" did={found.data.header.author} />],
          ['Tag', found.data.header.tag === undefined ? undefined : <Text value={found.data.header.tag} />],
          ['Recipients', <Recipients key="recipients" message={found.data} />],
        ]}
      />
      {about}
      <Values id={id} />
    </Section>
  );
}

/** The identities that can read a message. */
function Recipients({ message: { header } }: { readonly message: Message }) {
  const { group } = header;
  const members = useRead(
    recordSubject(group ?? ''),
    ['group'],
    (client, signal) => client.getGroup({ path: { hash: group ?? '' }, signal }),
    { isEnabled: group !== undefined },
  );
  if (group === undefined) return 'all parties';
  const names = [...new Set(members.data?.value.members.map(({ identity }) => identity))];
  return names.map((did, index) => (
    <span key={did}>
      {index > 0 && ', '}
      <Author did={did} />
    </span>
  ));
}

function Values({ id }: { readonly id: string }) {
  const data = useRead(recordSubject(id), ['data'], (client, signal) =>
    client.getMessageData({ path: { msgid: id }, signal }),
  );
  if (data.error !== null) return <Failure error={data.error} onRetry={() => void data.refetch()} />;
  return (
    <ul className={styles.values}>
      {data.data?.value.map((item) => (
        <li key={item.id}>
          <DataItem item={item} />
        </li>
      ))}
    </ul>
  );
}
