import { usePlace } from '../../api/explorer.js';
import { Link } from '../../components/link.js';
import { Section } from '../../components/page/section.js';
import { beginningOf } from '../../components/text/marked-text.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import styles from './compose.module.css';
import type { DraftMessage } from './draft-message.js';
import type { Written } from './history.js';
import { recipientsOf } from './recipients.js';

interface Props {
  readonly list: readonly Written[];
  readonly onUse: (draft: DraftMessage) => void;
}

export function HistoryList({ list, onUse }: Props) {
  const { open } = usePlace();
  return (
    <Section title="Sent from this tab">
      {list.length === 0 && (
        <p className="muted">No messages yet. Messages that you send here are listed until you close the tab.</p>
      )}
      <ul className={styles.history}>
        {list.map(({ id, time, draft }, index) => (
          <li key={`${time} ${index}`} data-open={id !== undefined && id === open}>
            {id === undefined ? (
              <span>Draft</span>
            ) : (
              <Link to={{ open: id }}>
                <code title={id}>{id.slice(0, 8)}</code>
              </Link>
            )}
            <span className={styles.summary}>
              <Text value={summaryOf(draft)} />
            </span>
            <span className="muted">
              <Time iso={time} />
            </span>
            <button type="button" className="button" onClick={() => onUse(draft)}>
              Reuse
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const maxSummary = 120;

/** A summary of a message: recipients, tag, and the beginning of its content. */
function summaryOf(draft: DraftMessage): string {
  const to = draft.group === '' ? recipientsOf(draft).join(', ') : `group ${draft.group.slice(0, 8)}`;
  const [first] = draft.items;
  const content = first === undefined ? '' : first.text || first.name || first.id;
  const words = [draft.kind === 'private' ? `to ${to}` : 'broadcast', draft.tag, content].filter((word) => word !== '');
  return beginningOf(words.join(' · '), maxSummary);
}
