import { readPage } from '../../../../src/client/page.js';
import { useNodeNames } from '../../api/node-names.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { State } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { recordSubject } from '../../live/invalidator.js';
import { emptyDraft } from '../compose/draft-message.js';
import { useComposeWith } from '../compose/use-compose-with.js';
import styles from './groups.module.css';

/** A group with its members and its newest messages. */
export function GroupRecord({ hash }: { readonly hash: string }) {
  const named = useNodeNames();
  const composeWith = useComposeWith();
  const group = useRead(recordSubject(hash), ['group'], (client, signal) =>
    client.getGroup({ path: { hash }, signal }),
  );
  if (group.data === undefined) {
    if (group.error === null) return <Skeleton rows={6} />;
    const retry = () => void group.refetch();
    return <Failure error={group.error} what="group" onRetry={retry} />;
  }
  const { value, text } = group.data;
  return (
    <article aria-label={`Group ${hash}`}>
      <Section
        title={`Members · ${value.members.length}`}
        actions={
          <button
            type="button"
            className="button"
            onClick={() => composeWith({ ...emptyDraft(), kind: 'private', group: hash })}
          >
            Send message
          </button>
        }
      >
        <ul className={styles.lines}>
          {value.members.map(({ identity, node }) => (
            <li key={`${identity} ${node}`}>
              <Author did={identity} />
              <span className="muted">
                on <Text value={named(node)} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="About">
        <Facts
          of={[
            ['Hash', <Id key="hash" id={value.hash} what="the hash of the group" />],
            ['Name', value.name === '' ? undefined : <Text value={value.name} />],
            ['Created', <Time key="created" iso={value.created} />],
          ]}
        />
      </Section>
      <GroupMessages hash={hash} />
      <Section title="As served">
        <Json text={text} what="the group" />
      </Section>
    </article>
  );
}

function GroupMessages({ hash }: { readonly hash: string }) {
  const messages = useRead('messages', ['of group', hash], (client, signal) =>
    readPage(
      client,
      'listMessages',
      [
        ['group', hash],
        ['limit', '10'],
      ],
      signal,
    ),
  );
  const rows = messages.data?.entries.map(({ value }) => value) ?? [];
  const all = { page: 'messages', id: undefined, open: undefined, filters: [`group=${hash}`] };
  return (
    <Section title="Newest messages" actions={<Link to={all}>All messages</Link>}>
      {messages.isPending && <Skeleton rows={2} />}
      {messages.error !== null && <Failure error={messages.error} onRetry={() => void messages.refetch()} />}
      {messages.data !== undefined && rows.length === 0 && <p className="muted">No messages yet.</p>}
      <ul className={styles.lines}>
        {rows.map(({ header, state }) => (
          <li key={header.id}>
            <Link to={{ page: 'messages', id: undefined, filters: [], open: header.id }}>
              <code>{header.id.slice(0, 8)}</code>
            </Link>
            <State state={state} />
            <Author did={header.author} />
            <Text value={header.topics.join(', ')} />
            <Time iso={header.created} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
