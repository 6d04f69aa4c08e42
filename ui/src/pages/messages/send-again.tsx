import type { Data } from '../../../../src/wire/data/data.js';
import type { Message } from '../../../../src/wire/messages/message.js';
import { draftOf } from '../compose/again.js';
import { emptyDraft } from '../compose/draft-message.js';
import { useComposeWith } from '../compose/use-compose-with.js';
import styles from './messages.module.css';

interface Props {
  readonly message: Message;
  /** Undefined until they are read. */
  readonly data: readonly Data[] | undefined;
}

/** Opens a new message with the content of this one, or one that answers it. */
export function SendAgain({ message, data }: Props) {
  const composeWith = useComposeWith();
  const draft = data === undefined ? undefined : draftOf(message, data);
  if (message.header.type === 'definition') return null;
  const { id, topics, group } = message.header;
  const answer = {
    ...emptyDraft(),
    kind: group === undefined ? ('broadcast' as const) : ('private' as const),
    group: group ?? '',
    topics: topics.join(', '),
    cid: id,
  };
  return (
    <span className={styles.again}>
      <button type="button" className="button" onClick={() => composeWith(answer)}>
        Answer
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
