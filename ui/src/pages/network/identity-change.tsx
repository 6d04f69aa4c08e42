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

/** Changes the description and profile of an identity of this party. All parties see the change. */
export function IdentityChangeButton({ identity }: { readonly identity: Identity }) {
  // A field that was not touched stays as the record is, which others may change meanwhile.
  const [entered, setEntered] = useState<Partial<IdentityChangeValues>>({});
  const values = { ...changeValuesOf(identity), ...entered };
  const problems = judgeIdentityChange(identity, values);
  return (
    <ActionButton
      label="Change"
      title="Change the identity"
      action={identityChangeAction(identity, values)}
      missing={problems.profile ?? 'Nothing is changed yet.'}
      schema={Identity}
      subjects={['identities', recordSubject(identity.id)]}
      onDone={() => setEntered({})}
    >
      <p>All parties see the change. Name and key stay as they are.</p>
      <TextField
        label="Description"
        value={values.description}
        onChange={(description) => setEntered({ ...entered, description })}
        hint="Empty: none."
        hasFocus
      />
      <AreaField
        label="Profile"
        value={values.profile}
        onChange={(profile) => setEntered({ ...entered, profile })}
        placeholder={'{"phone":"…"}'}
        hint="A JSON object for anything that others should know."
        {...(problems.profile !== undefined && { error: problems.profile })}
      />
    </ActionButton>
  );
}
