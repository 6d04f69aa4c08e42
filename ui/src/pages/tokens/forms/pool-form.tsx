import { useState } from 'react';
import { ActionForm } from '../../../actions/action-form.js';
import { AreaField, CheckField, ChoiceField, TextField } from '../../../actions/fields.js';
import { ActionResult } from '../../../actions/action-result.js';
import { More } from '../../../actions/more.js';
import { SigningFields } from '../../../actions/signing-fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { TokenPool } from '../../../../../src/wire/token.js';
import { useRead } from '../../../api/read.js';
import { useInterfaces } from '../../contracts/interface-name.js';
import { judgePool, poolAction, type PoolFields } from './pool-request.js';

const initial: PoolFields = {
  name: '',
  type: 'fungible',
  symbol: '',
  connector: '',
  address: '',
  interfaceId: '',
  methods: '',
  publish: 'yes',
  networkName: '',
  key: '',
  idempotencyKey: '',
};

export function PoolForm() {
  const { values, set, reset } = useFields<keyof PoolFields>('token pool', initial);
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
          ['fungible', 'fungible: interchangeable tokens'],
          ['nonfungible', 'nonfungible: unique tokens with an index'],
        ]}
      />
      <TextField label="Symbol" value={values.symbol} onChange={set('symbol')} hint="A short name for display." />
      {names.length > 1 && (
        <ChoiceField
          label="Connector"
          value={values.connector}
          onChange={set('connector')}
          error={of('connector')}
          options={[['', 'Select a connector'], ...names.map((name) => [name, name] as const)]}
        />
      )}
      <CheckField
        label="Publish to all parties"
        isChecked={values.publish !== 'no'}
        onChange={(isChecked) => set('publish')(isChecked ? 'yes' : 'no')}
      />
      <More>
        {values.publish !== 'no' && (
          <TextField
            label="Network name"
            value={values.networkName}
            onChange={set('networkName')}
            error={of('networkName')}
            hint="The name for all parties. Default: its local name."
          />
        )}
        <ContractFields values={values} set={set} problemOf={of} />
        <SigningFields values={values} set={set} />
      </More>
    </ActionForm>
  );
}

interface ContractProps {
  readonly values: PoolFields;
  readonly set: (field: keyof PoolFields) => (value: string) => void;
  readonly problemOf: (field: keyof PoolFields) => string | undefined;
}

/** The fields for a pool of an existing contract. */
function ContractFields({ values, set, problemOf }: ContractProps) {
  const interfaces = [...useInterfaces().values()];
  return (
    <>
      <TextField
        label="Contract"
        value={values.address}
        onChange={set('address')}
        error={problemOf('address')}
        hint="The address of an existing contract. Default: the connector creates the pool."
      />
      {values.address !== '' && (
        <>
          <ChoiceField
            label="Interface"
            value={values.interfaceId}
            onChange={set('interfaceId')}
            hint="For a contract with non-standard methods. It must be published before the pool."
            options={[
              ['', 'standard'],
              ...interfaces.map(({ id = '', name, version }) => [id, `${name} ${version}`] as const),
            ]}
          />
          <AreaField
            label="Methods"
            value={values.methods}
            onChange={set('methods')}
            error={problemOf('methods')}
            rows={2}
            placeholder={'{"mint":"issue","burn":["retire"]}'}
            hint="JSON: the methods that mint, transfer and burn. Default: the standard names."
          />
        </>
      )}
    </>
  );
}
