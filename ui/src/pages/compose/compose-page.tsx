import type { KeyboardEvent } from 'react';
import { Message } from '../../../../src/wire/messages/message.js';
import { ActionForm } from '../../actions/action-form.js';
import { Follow } from '../../actions/follow.js';
import { useAction } from '../../actions/use-action.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { Page, Scroll } from '../../components/page/page.js';
import styles from './compose.module.css';
import { type DraftMessage, emptyDraft, isEmpty } from './draft-message.js';
import { HistoryList } from './history-list.js';
import { ItemsField } from './items-field.js';
import { messageAction } from './message-action.js';
import { firstProblem, problemsOf } from './problems.js';
import { RecipientsField } from './recipients-field.js';
import { LabelsFields } from './labels-fields.js';
import { type Compose, useCompose } from './use-compose.js';

/** The form for a message, the progress of the sent message, and the history of the tab. */
export function ComposePage() {
  const { places } = useExplorer();
  const { open } = usePlace();
  const compose = useCompose();
  const use = (draft: DraftMessage) => {
    compose.use(draft);
    places.go({ open: undefined });
  };
  const fresh = (
    <button type="button" className="button" disabled={isEmpty(compose.draft)} onClick={() => use(emptyDraft())}>
      New message
    </button>
  );
  return (
    <Page title="Compose" actions={fresh}>
      <Scroll>
        <div className={styles.page}>
          <MessageForm compose={compose} />
          <div className={styles.side}>
            {open !== undefined && <Follow key={open} kind="message" id={open} />}
            <HistoryList list={compose.written} onUse={use} />
          </div>
        </div>
      </Scroll>
    </Page>
  );
}

function MessageForm({ compose }: { readonly compose: Compose }) {
  const { places } = useExplorer();
  const { draft, change, sent } = compose;
  const run = useAction(Message, 'messages', 'data', 'groups');
  const problems = problemsOf(draft);
  const set = (part: Partial<DraftMessage>) => {
    run.reset();
    change((former) => ({ ...former, ...part }));
  };
  const pressed = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.querySelector('form')?.requestSubmit();
  };
  return (
    <div className={styles.main} onKeyDown={pressed}>
      <ActionForm
        action={messageAction(draft)}
        run={run}
        submit="Send"
        missing={firstProblem(problems)}
        onDone={({ header }) => {
          sent(header.id);
          places.go({ open: header.id });
        }}
      >
        <KindField draft={draft} onChange={set} />
        {draft.kind === 'private' && <RecipientsField draft={draft} problem={problems.recipients} onChange={set} />}
        <ItemsField
          items={draft.items}
          problems={problems.byItem}
          onChange={(changeItems) => {
            run.reset();
            change((former) => ({ ...former, items: changeItems(former.items) }));
          }}
        />
        {problems.items !== undefined && <p className={styles.problem}>{problems.items}</p>}
        <LabelsFields draft={draft} problems={problems} onChange={set} />
      </ActionForm>
    </div>
  );
}

interface PartProps {
  readonly draft: DraftMessage;
  readonly onChange: (change: Partial<DraftMessage>) => void;
}

const kinds = [
  ['broadcast', 'Broadcast', 'to all parties'],
  ['private', 'Private', 'to selected parties only'],
] as const;

function KindField({ draft, onChange }: PartProps) {
  return (
    <fieldset className={styles.kinds}>
      <legend>Send as</legend>
      {kinds.map(([kind, title, hint]) => (
        <label key={kind}>
          <input type="radio" name="kind" checked={draft.kind === kind} onChange={() => onChange({ kind })} />
          <span>
            {title} <span className="muted">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
