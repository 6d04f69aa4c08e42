import { useEffect, useState } from 'react';
import { ActionForm } from '../../../actions/action-form.js';
import { AttachedFields } from '../../../actions/attached-fields.js';
import { noMessage } from '../../../actions/attached-message.js';
import { AmountField, TextField } from '../../../actions/fields.js';
import { ActionResult } from '../../../actions/action-result.js';
import { More } from '../../../actions/more.js';
import { SigningFields } from '../../../actions/signing-fields.js';
import { useAction } from '../../../actions/use-action.js';
import { type Fields, useFields } from '../../../actions/use-fields.js';
import { type ShownProblems, useProblems } from '../../../actions/use-problems.js';
import { type TokenPool, TokenTransfer } from '../../../../../src/wire/token.js';
import { usePools } from '../pools.js';
import { AmountHint, TokenField } from './amount-hint.js';
import { HolderField, PoolField } from './choices.js';
import { judgeOperation, operationAction, type OperationFields, type Verb } from './requests.js';

const initial = {
  pool: '',
  amount: '',
  to: '',
  from: '',
  tokenIndex: '',
  uri: '',
  key: '',
  idempotencyKey: '',
  ...noMessage,
};
const submits = { mint: 'Mint', transfer: 'Transfer', burn: 'Burn' } as const;

interface Props {
  readonly verb: Verb;
  /** The name of the preselected pool; empty for none. */
  readonly pool: string;
}

/** The form that mints, transfers or burns tokens, then the progress of the transaction. */
export function OperationForm({ verb, pool }: Props) {
  const fields = useFields<keyof OperationFields>(`token ${verb}`, initial);
  const { values, set, reset } = fields;
  const run = useAction(TokenTransfer, 'transfers', 'balances');
  const [made, setMade] = useState<TokenTransfer | undefined>(undefined);
  const chosen = [...usePools().values()].find(({ name }) => name === values.pool);
  const isNonFungible = chosen?.type === 'nonfungible';
  // A transfer or burn moves exactly one non-fungible token.
  const sent = isNonFungible && verb !== 'mint' ? { ...values, amount: '1' } : { ...values, tokenIndex: '' };
  const problems = useProblems(values, judgeOperation(verb, sent, isNonFungible));
  useEffect(() => {
    if (pool !== '') set('pool')(pool);
  }, [pool, set]);
  const done = (transfer: TokenTransfer) => {
    setMade(transfer);
    reset();
    problems.forget();
    set('pool')(values.pool);
  };
  if (made?.tx?.id !== undefined)
    return (
      <ActionResult transaction={made.tx.id} again={`${submits[verb]} again`} onAgain={() => setMade(undefined)} />
    );
  return (
    <ActionForm
      action={problems.isComplete ? operationAction(verb, sent) : undefined}
      run={run}
      submit={submits[verb]}
      onDone={done}
      onTried={problems.tried}
    >
      <PoolField value={values.pool} onChange={set('pool')} error={problems.of('pool')} />
      <AmountFields verb={verb} pool={chosen} fields={fields} problems={problems} />
      {verb !== 'burn' && (
        <HolderField
          label="To"
          value={values.to}
          onChange={set('to')}
          error={problems.of('to')}
          {...(verb === 'mint' && { hint: 'Default: this party.' })}
        />
      )}
      {verb === 'mint' && isNonFungible && (
        <TextField label="URI" value={values.uri} onChange={set('uri')} hint="The content that the tokens represent." />
      )}
      <AttachedFields values={values} set={set} problemOf={problems.of} />
      <More>
        {verb !== 'mint' && <FromField fields={fields} problems={problems} />}
        <SigningFields values={values} set={set} />
      </More>
    </ActionForm>
  );
}

type OperationState = Fields<keyof OperationFields>;

interface AmountProps {
  readonly verb: Verb;
  readonly pool: TokenPool | undefined;
  readonly fields: OperationState;
  readonly problems: ShownProblems<keyof OperationFields>;
}

/** The field for the amount. In a non-fungible pool, it is the index of a token, or the number of new tokens. */
function AmountFields({ verb, pool, fields: { values, set }, problems }: AmountProps) {
  const isNonFungible = pool?.type === 'nonfungible';
  if (isNonFungible && verb !== 'mint')
    return (
      <TokenField
        pool={pool}
        value={values.tokenIndex}
        onChange={set('tokenIndex')}
        error={problems.of('tokenIndex')}
      />
    );
  return (
    <AmountField
      label={isNonFungible ? 'Number of tokens' : 'Amount'}
      value={values.amount}
      onChange={set('amount')}
      error={problems.of('amount')}
      hint={<AmountHint pool={pool} digits={values.amount} />}
    />
  );
}

function FromField({
  fields: { values, set },
  problems,
}: {
  readonly fields: OperationState;
  readonly problems: ShownProblems<keyof OperationFields>;
}) {
  return (
    <HolderField
      label="From"
      value={values.from}
      onChange={set('from')}
      error={problems.of('from')}
      hint="The owner of the tokens. Default: the signer. For others, an approval is needed."
    />
  );
}
