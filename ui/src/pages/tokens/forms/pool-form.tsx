import { useState } from 'react';
import { ActionForm } from '../../../actions/action-form.js';
import { CheckField, ChoiceField, TextField } from '../../../actions/fields.js';
import { ActionResult } from '../../../actions/action-result.js';
import { More } from '../../../actions/more.js';
import { SigningFields } from '../../../actions/signing-fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { TokenPool } from '../../../../../src/wire/token.js';
import { useRead } from '../../../api/read.js';
import { judgePool, poolAction } from './requests.js';

const initial = {
  ...{ name: '', type: 'fungible', symbol: '', connector: '', address: '', publish: 'yes' },
  ...{ key: '', idempotencyKey: '' },
};

/** Makes a pool of tokens. */
export function PoolForm() {
  const { values, set, reset } = useFields('token pool', initial);
  const run = useAction(TokenPool, 'pools');
  const [made, setMade] = useState<TokenPool | undefined>(undefined);
  const connectors = useRead('connectors', [], (client, signal) => client.listTokenConnectors({ signal }));
  const names = connectors.data?.value.map(({ name }) => name) ?? [];
  const { isComplete, of, tried, forget } = useProblems(values, judgePool(values, names.length));
  const done = (pool: TokenPool) => {
    setMade(pool);
    reset();
    forget();
  };
  if (made?.tx?.id !== undefined)
    return <ActionResult transaction={made.tx.id} again="Create another pool" onAgain={() => setMade(undefined)} />;
  return (
    <ActionForm
      action={isComplete ? poolAction(values) : undefined}
      run={run}
      submit="Create pool"
      onDone={done}
      onTried={tried}
    >
      <TextField label="Name" value={values.name} onChange={set('name')} error={of('name')} hasFocus />
      <ChoiceField
        label="Type"
        value={values.type}
        onChange={set('type')}
        options={[
          ['fungible', 'fungible: tokens are alike'],
          ['nonfungible', 'nonfungible: each has an index of its own'],
        ]}
      />
      <TextField label="Symbol" value={values.symbol} onChange={set('symbol')} hint="A short name for people." />
      {names.length > 1 && (
        <ChoiceField
          label="Connector"
          value={values.connector}
          onChange={set('connector')}
          error={of('connector')}
          options={[['', 'Choose a connector'], ...names.map((name) => [name, name] as const)]}
        />
      )}
      <CheckField
        label="All parties see it"
        isChecked={values.publish !== 'no'}
        onChange={(isChecked) => set('publish')(isChecked ? 'yes' : 'no')}
      />
      <More>
        <TextField
          label="Contract"
          value={values.address}
          onChange={set('address')}
          error={of('address')}
          hint="The address of a contract that is there already. Default: the connector makes the pool."
        />
        <SigningFields values={values} set={set} />
      </More>
    </ActionForm>
  );
}
