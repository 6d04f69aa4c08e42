import type { JoinedTopics } from '../../../../src/wire/network/stack-view.js';
import { Author } from '../../components/record/author.js';
import { Icon } from '../../components/icon.js';
import { Id } from '../../components/record/id.js';
import { Joined } from '../../components/record/joined.js';
import { Link } from '../../components/link.js';
import { Tone } from '../../components/record/state.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { adviceFor } from '../../../../src/wire/messages/progress-texts.js';
import { MessageLink } from '../messages/message-link.js';
import { type Context, type Head, stateOf } from './contexts.js';
import styles from './topics.module.css';

interface Props {
  readonly context: Context;
  readonly joined: JoinedTopics | undefined;
}

/** A context: its messages in order, and what its head waits for. */
export function ContextView({ context, joined }: Props) {
  const { topic, group, messages, head } = context;
  const state = stateOf(context);
  const tone = state === 'blocked' ? 'blocked' : 'waiting';
  return (
    <li className={styles.context}>
      <header className={styles.title}>
        <h2>
          <Text value={topic} />
        </h2>
        {group === undefined ? (
          <span className="muted">broadcast</span>
        ) : (
          <span className="muted">
            in group <Id id={group} what="the group" />
          </span>
        )}
        <Tone tone={tone} icon={tone} word={state} />
      </header>
      <ol className={styles.track} aria-label="Messages in order">
        {head !== undefined && head.message === undefined && (
          <li className={styles.stop} data-head="true">
            <Icon name="blocked" />
            <span>
              batch <code title={head.wait.batch}>{head.wait.batch?.slice(0, 8)}</code>
            </span>
          </li>
        )}
        {messages.map(({ message }) => (
          <li
            key={message.header.id}
            className={styles.stop}
            data-head={message.header.id === head?.message?.header.id}
          >
            <Link to={{ page: 'flow', id: message.header.id, open: undefined }} title="Show flow">
              <code>{message.header.id.slice(0, 8)}</code>
            </Link>
            <Author did={message.header.author} />
            <Time iso={message.header.created} />
          </li>
        ))}
      </ol>
      {head !== undefined && <HeadView head={head} />}
      {head !== undefined && joined !== undefined && (
        <Affected ids={messages.map((each) => each.message.header.id)} joined={joined} />
      )}
    </li>
  );
}

function HeadView({ head: { message, wait } }: { readonly head: Head }) {
  return (
    <div className={styles.head}>
      <p>
        <strong>
          <Text value={wait.detail} />
        </strong>
      </p>
      <p className="muted">
        {message !== undefined && (
          <>
            Message <MessageLink id={message.header.id} /> waiting since{' '}
          </>
        )}
        {message === undefined && 'Waiting since '}
        <Time iso={wait.since} />
        {wait.author !== undefined && (
          <>
            {' '}
            for <Author did={wait.author} />
          </>
        )}
        .
      </p>
      <p>
        <span className="muted">Next step: </span>
        {adviceFor(wait)}
      </p>
    </div>
  );
}

/** The other parties where a message of the context is not decided. */
function Affected({ ids, joined }: { readonly ids: readonly string[]; readonly joined: JoinedTopics }) {
  const waiting = joined.parties.filter(({ undecided }) => undecided.some(({ id }) => ids.includes(id)));
  const unknown = joined.parties.filter(({ answer }) => answer === 'unknown');
  return (
    <Joined>
      <p>
        <span className="muted">Waiting at: </span>
        {waiting.length === 0 ? 'none' : waiting.map(({ party }) => party).join(', ')}
      </p>
      {unknown.length > 0 && (
        <p>
          <span className="muted">No answer from: </span>
          {unknown.map(({ party }) => party).join(', ')}
        </p>
      )}
    </Joined>
  );
}
