import { useState } from 'react';
import { indentJson } from '../../../../src/wire/json/json-indent.js';
import { Subscription } from '../../../../src/wire/events/subscription.js';
import { ActionButton } from '../../actions/action-button.js';
import { AreaField } from '../../actions/fields.js';
import { changeProblems, replaceAction, type SubscriptionChange } from './request.js';

/** Gives a subscription another filter or other options; it continues at its position. */
export function ChangeButton({ subscription }: { readonly subscription: Subscription }) {
  const [change, setChange] = useState<SubscriptionChange>(() => ({
    filter: indentJson(subscription.filter),
    options: indentJson(subscription.options),
  }));
  const problems = changeProblems(change);
  return (
    <ActionButton
      label="Change"
      title="Change the subscription"
      action={replaceAction(subscription, change)}
      schema={Subscription}
      subjects={['subscriptions']}
    >
      <p>It goes on from the last event that was acknowledged.</p>
      <AreaField
        label="Filter"
        hint="JSON: events, topic, author, message, transaction, blockchainevent, each a regular expression (RE2)."
        value={change.filter}
        onChange={(filter) => setChange({ ...change, filter })}
        {...(problems.filter !== undefined && { error: problems.filter })}
      />
      <AreaField
        label="Options"
        hint="JSON: readAhead, withData, and for a webhook url and the rest."
        value={change.options}
        onChange={(options) => setChange({ ...change, options })}
        {...(problems.options !== undefined && { error: problems.options })}
      />
    </ActionButton>
  );
}
