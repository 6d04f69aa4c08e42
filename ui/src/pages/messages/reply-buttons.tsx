import type { Data } from '../../../../src/wire/data/data.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { draftOf } from '../compose/draft-from-message.js';
import { emptyDraft } from '../compose/draft-message.js';
import { useComposeWith } from '../compose/use-compose-with.js';
import styles from './messages.module.css';

interface Props {
  readonly message: Message;
  /** Undefined while loading. */
  readonly data: readonly Data[] | undefined;
}

/** Buttons that open a new message: a reply to this one, or a copy of it. */
export function ReplyButtons({ message, data }: Props) {
  const composeWith = useComposeWith();
  const draft = data === undefined ? undefined : draftOf(message, data);
  if (message.header.type === 'definition') return null;
  const { id, topics, group } = message.header;
  const reply = {
    ...emptyDraft(),
    kind: group === undefined ? ('broadcast' as const) : ('private' as const),
    group: group ?? '',
    topics: topics.join(', '),
    cid: id,
  };
  return (
    <span className={styles.again}>
      <button type="button" className="button" onClick={() => composeWith(reply)}>
        Reply
      </button>
      <button
        type="button"
        className="button"
        disabled={draft === undefined}
        onClick={() => {
          if (draft !== undefined) composeWith(draft);
        }}
      >
        Send again
      </button>
    </span>
  );
}
