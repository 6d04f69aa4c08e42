import { useEffect } from 'react';
import { ContractApi } from '../../../../../src/wire/contracts/contract.js';
import { ActionForm } from '../../../actions/action-form.js';
import { CheckField, ChoiceField, TextField } from '../../../actions/fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { useExplorer } from '../../../api/explorer.js';
import { useInterfaces } from '../interface-name.js';
import { AddressField } from './address-field.js';
import { addressPattern, apiAction } from './requests.js';

const initial = { name: '', interfaceId: '', address: '', publish: 'yes' };

interface Props {
  /** The interface that is looked at; empty = none. */
  readonly interfaceId: string;
  readonly onDone: () => void;
}

/** Gives a contract a name. */
export function ApiForm({ interfaceId, onDone }: Props) {
  const { places } = useExplorer();
  const { values, set, reset } = useFields('contract api', initial);
  const interfaces = [...useInterfaces().values()];
  const run = useAction(ContractApi, 'apis');
  const problems = useProblems(values, {
    ...(values.name === '' && { name: 'Give it a name.' }),
    ...(values.interfaceId === '' && { interfaceId: 'Choose an interface.' }),
    ...(values.address !== '' && !addressPattern.test(values.address) && { address: 'Write 0x and 40 hex digits.' }),
  });
  useEffect(() => {
    if (interfaceId !== '') set('interfaceId')(interfaceId);
  }, [interfaceId, set]);
  const done = ({ name }: ContractApi) => {
    reset();
    onDone();
    places.go({ page: 'contracts', id: 'apis', filters: [], open: name });
  };
  return (
    <ActionForm
      action={problems.isComplete ? apiAction(values) : undefined}
      run={run}
      submit="Create API"
      onDone={done}
      onTried={problems.tried}
    >
      <TextField label="Name" value={values.name} onChange={set('name')} error={problems.of('name')} hasFocus />
      <ChoiceField
        label="Interface"
        value={values.interfaceId}
        onChange={set('interfaceId')}
        error={problems.of('interfaceId')}
        options={[
          ['', 'Choose an interface'],
          ...interfaces.map(({ id = '', name, version }) => [id, `${name} ${version}`] as const),
        ]}
      />
      <AddressField
        value={values.address}
        onChange={set('address')}
        error={problems.of('address')}
        hint="The address of the contract; empty for one that each call names."
      />
      <CheckField
        label="All parties see it"
        hint="Its interface must be seen by all, too."
        isChecked={values.publish === 'yes'}
        onChange={(isChecked) => set('publish')(isChecked ? 'yes' : 'no')}
      />
    </ActionForm>
  );
}
