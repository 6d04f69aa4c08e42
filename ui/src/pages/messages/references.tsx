import { readPage } from '../../../../src/client/page.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { useRead } from '../../api/read.js';
import { Author } from '../../components/record/author.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Facts, Section } from '../../components/page/section.js';
import { State } from '../../components/record/state.js';
import { Time } from '../../components/text/time.js';
import { MessageLink } from './message-link.js';
import styles from './messages.module.css';

const maxReplies = 20;

/** The replies to a message, the message that it replies to, and the operation that it is attached to. */
export function References({ message: { header } }: { readonly message: Message }) {
  const { id, cid, txparent } = header;
  const replies = useRead('messages', ['replies', id], (client, signal) =>
    readPage(
      client,
      'listMessages',
      [
        ['cid', id],
        ['limit', String(maxReplies)],
      ],
      signal,
    ),
  );
  const rows = replies.data?.entries.map(({ value }) => value) ?? [];
  if (cid === undefined && txparent === undefined && rows.length === 0 && replies.error === null) return null;
  return (
    <Section title="References">
      <Facts
        of={[
          ['Reply to', cid === undefined ? undefined : <MessageLink id={cid} />],
          [
            'Attached to',
            txparent === undefined ? undefined : (
              <>
                {txparent.type} <Id id={txparent.id} what="the transaction" />
              </>
            ),
          ],
        ]}
      />
      {replies.error !== null && <Failure error={replies.error} onRetry={() => void replies.refetch()} />}
      {rows.length > 0 && <p className="muted">Replies</p>}
      <ul>
        {rows.map(({ header: reply, state }) => (
          <li key={reply.id} className={styles.reply}>
            <MessageLink id={reply.id} />
            <State state={state} />
            <Author did={reply.author} />
            <Time iso={reply.created} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
