import { useState } from 'react';
import { Identity } from '../../../../src/wire/identities/identity.js';
import { ActionButton } from '../../actions/action-button.js';
import { AreaField, TextField } from '../../actions/fields.js';
import { recordSubject } from '../../live/invalidator.js';
import {
  changeValuesOf,
  identityChangeAction,
  type IdentityChangeValues,
  judgeIdentityChange,
} from './identity-action.js';

/** A button that changes the description and profile of an identity of this party. */
export function IdentityChangeButton({ identity }: { readonly identity: Identity }) {
  // Fields without input follow the record, which may change while the form is open.
  const [entered, setEntered] = useState<Partial<IdentityChangeValues>>({});
  const values = { ...changeValuesOf(identity), ...entered };
  const problems = judgeIdentityChange(identity, values);
  return (
    <ActionButton
      label="Change"
      title="Change the identity"
      action={identityChangeAction(identity, values)}
      missing={problems.profile ?? 'Nothing has been changed.'}
      schema={Identity}
      subjects={['identities', recordSubject(identity.id)]}
      onDone={() => setEntered({})}
    >
      <p>All parties see the change. Name and key cannot be changed.</p>
      <TextField
        label="Description"
        value={values.description}
        onChange={(description) => setEntered({ ...entered, description })}
        hint="Leave empty for none."
        hasFocus
      />
      <AreaField
        label="Profile"
        value={values.profile}
        onChange={(profile) => setEntered({ ...entered, profile })}
        placeholder={'{"phone":"…"}'}
        hint="A JSON object with more information for other parties."
        {...(problems.profile !== undefined && { error: problems.profile })}
      />
    </ActionButton>
  );
}
