import { useState } from 'react';
import { ContractApi } from '../../../../../src/wire/contracts/contract.js';
import { namePattern, nameRule } from '../../../../../src/wire/scalar.js';
import { ActionButton } from '../../../actions/action-button.js';
import { ChoiceField, TextField } from '../../../actions/fields.js';
import { useExplorer, usePlace } from '../../../api/explorer.js';
import { useInterfaces } from '../interface-name.js';
import { changeApiAction } from './requests.js';

/** Changes the interface of a contract API, or the name of an unpublished one. The address cannot be changed. */
export function ApiChange({ api }: { readonly api: ContractApi }) {
  const { places } = useExplorer();
  const place = usePlace();
  // Fields without input follow the record, which may change while the form is open.
  const [entered, setEntered] = useState<{ readonly name?: string; readonly interfaceId?: string }>({});
  const { name, interfaceId } = { name: api.name, interfaceId: api.interface.id ?? '', ...entered };
  const interfaces = [...useInterfaces().values()];
  const isName = namePattern.test(name);
  const isChanged = name !== api.name || interfaceId !== api.interface.id;
  return (
    <ActionButton
      label="Change"
      title="Change the contract API"
      action={isName && isChanged ? changeApiAction(api.id, { name, interfaceId }) : undefined}
      missing={isName ? 'Nothing has been changed.' : `A name has ${nameRule}.`}
      schema={ContractApi}
      subjects={['apis', 'interfaces']}
      onDone={(changed) => {
        setEntered({});
        if (place.open !== undefined) places.go({ open: changed.name });
        else places.go({ id: `apis/${changed.name}` });
      }}
    >
      {api.published ? (
        <p>The API changes for all parties. Only the party that published it can change it.</p>
      ) : (
        <TextField
          label="Name"
          value={name}
          onChange={(text) => setEntered({ ...entered, name: text })}
          {...(!isName && { error: `A name has ${nameRule}.` })}
        />
      )}
      <ChoiceField
        label="Interface"
        value={interfaceId}
        onChange={(id) => setEntered({ ...entered, interfaceId: id })}
        options={interfaces.map(({ id = '', name: its, version }) => [id, `${its} ${version}`] as const)}
      />
    </ActionButton>
  );
}
