import { useState } from 'react';
import { Identity } from '../../../../src/wire/identities/identity.js';
import { ActionButton } from '../../actions/action-button.js';
import { AreaField, TextField } from '../../actions/fields.js';
import { recordSubject } from '../../live/invalidator.js';
import { changeValuesOf, identityChangeAction, judgeIdentityChange } from './identity-action.js';

/** Changes the description and profile of an identity of this party. All parties see the change. */
export function IdentityChangeButton({ identity }: { readonly identity: Identity }) {
  const [values, setValues] = useState(() => changeValuesOf(identity));
  const problems = judgeIdentityChange(identity, values);
  return (
    <ActionButton
      label="Change"
      title="Change the identity"
      action={identityChangeAction(identity, values)}
      missing={problems.profile ?? 'Nothing is changed yet.'}
      schema={Identity}
      subjects={['identities', recordSubject(identity.id)]}
    >
      <p>All parties see the change. Name and key stay as they are.</p>
      <TextField
        label="Description"
        value={values.description}
        onChange={(description) => setValues({ ...values, description })}
        hint="Empty: none."
        hasFocus
      />
      <AreaField
        label="Profile"
        value={values.profile}
        onChange={(profile) => setValues({ ...values, profile })}
        placeholder={'{"phone":"…"}'}
        hint="A JSON object for anything that others should know."
        {...(problems.profile !== undefined && { error: problems.profile })}
      />
    </ActionButton>
  );
}
