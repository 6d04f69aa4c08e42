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
import { addressPattern, addressProblem, apiAction } from './requests.js';

const initial = { name: '', interfaceId: '', address: '', publish: 'yes' };

interface Props {
  /** The preselected interface; empty for none. */
  readonly interfaceId: string;
  readonly onDone: () => void;
}

export function ApiForm({ interfaceId, onDone }: Props) {
  const { places } = useExplorer();
  const { values, set, reset } = useFields('contract api', initial);
  const interfaces = [...useInterfaces().values()];
  const run = useAction(ContractApi, 'apis');
  const problems = useProblems(values, {
    ...(values.name === '' && { name: 'Enter a name.' }),
    ...(values.interfaceId === '' && { interfaceId: 'Select an interface.' }),
    ...(values.address !== '' && !addressPattern.test(values.address) && { address: addressProblem }),
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
          ['', 'Select an interface'],
          ...interfaces.map(({ id = '', name, version }) => [id, `${name} ${version}`] as const),
        ]}
      />
      <AddressField
        value={values.address}
        onChange={set('address')}
        error={problems.of('address')}
        hint="The address of the contract. Leave empty to enter it with each call."
      />
      <CheckField
        label="Publish to all parties"
        hint="The interface must be published too."
        isChecked={values.publish === 'yes'}
        onChange={(isChecked) => set('publish')(isChecked ? 'yes' : 'no')}
      />
    </ActionForm>
  );
}
