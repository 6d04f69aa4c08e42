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

const maxAnswers = 20;

/** The messages that answer this one, the one that it answers, and the operation that it belongs to. */
export function References({ message: { header } }: { readonly message: Message }) {
  const { id, cid, txparent } = header;
  const answers = useRead('messages', ['answers', id], (client, signal) =>
    readPage(
      client,
      'listMessages',
      [
        ['cid', id],
        ['limit', String(maxAnswers)],
      ],
      signal,
    ),
  );
  const rows = answers.data?.entries.map(({ value }) => value) ?? [];
  if (cid === undefined && txparent === undefined && rows.length === 0 && answers.error === null) return null;
  return (
    <Section title="References">
      <Facts
        of={[
          ['Answers', cid === undefined ? undefined : <MessageLink id={cid} />],
          [
            'Belongs to',
            txparent === undefined ? undefined : (
              <>
                {txparent.type} <Id id={txparent.id} what="the transaction that it belongs to" />
              </>
            ),
          ],
        ]}
      />
      {answers.error !== null && <Failure error={answers.error} onRetry={() => void answers.refetch()} />}
      {rows.length > 0 && <p className="muted">Answered by</p>}
      <ul>
        {rows.map((answer) => (
          <li key={answer.header.id} className={styles.answer}>
            <MessageLink id={answer.header.id} />
            <State state={answer.state} />
            <Author did={answer.header.author} />
            <Time iso={answer.header.created} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
