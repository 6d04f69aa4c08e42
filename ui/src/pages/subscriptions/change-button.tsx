import { useState } from 'react';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import { Subscription } from '../../../../src/wire/events/subscription.js';
import { ActionButton } from '../../actions/action-button.js';
import { AreaField } from '../../actions/fields.js';
import { changeProblems, replaceAction, type SubscriptionChange } from './request.js';

/** A button that changes the filter and options of a subscription, which keeps its position. */
export function ChangeButton({ subscription }: { readonly subscription: Subscription }) {
  // Fields without input follow the record, which may change while the form is open.
  const [entered, setEntered] = useState<Partial<SubscriptionChange>>({});
  const { filter, options } = subscription;
  const change = { filter: indentJson(filter), options: indentJson(options), ...entered };
  const problems = changeProblems(change);
  return (
    <ActionButton
      label="Change"
      title="Change the subscription"
      action={replaceAction(subscription, change)}
      schema={Subscription}
      subjects={['subscriptions']}
      onDone={() => setEntered({})}
    >
      <p>The subscription continues after the last acknowledged event.</p>
      <AreaField
        label="Filter"
        hint="JSON: events, topic, author, message, transaction, blockchainevent, each a regular expression (RE2)."
        value={change.filter}
        onChange={(text) => setEntered({ ...entered, filter: text })}
        {...(problems.filter !== undefined && { error: problems.filter })}
      />
      <AreaField
        label="Options"
        hint="JSON: readAhead, withData, and for a webhook url and its other options."
        value={change.options}
        onChange={(text) => setEntered({ ...entered, options: text })}
        {...(problems.options !== undefined && { error: problems.options })}
      />
    </ActionButton>
  );
}
