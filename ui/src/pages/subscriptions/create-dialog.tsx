import { useState } from 'react';
import { readPage } from '../../../../src/client/page.js';
import { Subscription } from '../../../../src/wire/events/subscription.js';
import { ActionDialog, ActionForm } from '../../actions/action-form.js';
import { CheckField, TextField } from '../../actions/fields.js';
import { useAction } from '../../actions/use-action.js';
import { useExplorer } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { judgeEventFilter, passes } from '../events/filter.js';
import { createAction, emptyDraft, filtersOfDraft, problemsOf, type SubscriptionDraft } from './request.js';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateDialog({ isOpen, onClose }: Props) {
  return (
    <ActionDialog title="New subscription" isOpen={isOpen} onClose={onClose}>
      <CreateForm onClose={onClose} />
    </ActionDialog>
  );
}

function CreateForm({ onClose }: Pick<Props, 'onClose'>) {
  const { places } = useExplorer();
  const [draft, setDraft] = useState(emptyDraft);
  const run = useAction(Subscription, 'subscriptions');
  const problems = problemsOf(draft);
  const field = (name: Exclude<keyof SubscriptionDraft, 'withData'>, label: string, more: { hint?: string } = {}) => {
    const isExpression = ['events', 'tag', 'topics', 'author'].includes(name);
    const error = problems[name] ?? (isExpression ? expressionProblem(draft[name]) : undefined);
    const isShown = error !== undefined && draft[name] !== '';
    return (
      <TextField
        {...more}
        label={label}
        value={draft[name]}
        onChange={(value) => setDraft({ ...draft, [name]: value })}
        hasFocus={name === 'name'}
        {...(isShown && { error })}
      />
    );
  };
  return (
    <ActionForm
      action={createAction(draft)}
      run={run}
      submit="Create"
      onDone={({ id }) => {
        onClose();
        places.go({ open: id });
      }}
    >
      {field('name', 'Name', { hint: 'An application connects with this name and continues where it stopped.' })}
      {field('events', 'Event types', { hint: 'A regular expression (RE2), such as ^message_confirmed$' })}
      {field('tag', 'Tag')}
      {field('topics', 'Topic')}
      {field('author', 'Author')}
      <FilterTest draft={draft} />
      {field('first', 'First event', { hint: 'newest, oldest, or the sequence after which to start' })}
      {field('readAhead', 'Read-ahead', { hint: 'Events sent ahead of acknowledgements. Default: 0' })}
      {field('url', 'Webhook', { hint: 'The URL to call with each event. Leave empty to use a WebSocket.' })}
      {draft.url !== '' && (
        <CheckField
          label="Send the values of the message instead of the event"
          isChecked={draft.withData}
          onChange={(withData) => setDraft({ ...draft, withData })}
        />
      )}
    </ActionForm>
  );
}

function expressionProblem(text: string): string | undefined {
  return judgeEventFilter(`events=${text}`);
}

const maxTried = 1_000;

/** The number of the newest events that match the filters of the draft. */
function FilterTest({ draft }: { readonly draft: SubscriptionDraft }) {
  const [isWanted, setWanted] = useState(false);
  const newest = useRead(
    'subscriptions',
    ['history'],
    (client, signal) =>
      readPage(
        client,
        'listEvents',
        [
          ['fetchreferences', 'true'],
          ['limit', String(maxTried)],
        ],
        signal,
      ),
    { isEnabled: isWanted },
  );
  if (!isWanted)
    return (
      <p>
        <button type="button" className="button" onClick={() => setWanted(true)}>
          Test filter on past events
        </button>
      </p>
    );
  if (newest.error !== null) return <Failure error={newest.error} onRetry={() => void newest.refetch()} />;
  if (newest.data === undefined) return <p className="muted">Loading the newest events…</p>;
  const events = newest.data.entries.map(({ value }) => value);
  const chosen = events.filter(passes(filtersOfDraft(draft))).length;
  return (
    <p role="status">
      Matches {chosen} of the newest {events.length} events.
    </p>
  );
}
