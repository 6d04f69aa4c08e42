import { useState } from 'react';
import type { FfiMethod } from '../../../../../src/wire/contracts/contract.js';
import { valueOf } from '../../../../../src/wire/json/json.js';
import { Raw } from '../../../../../src/wire/scalar.js';
import { Operation } from '../../../../../src/wire/chain/transaction.js';
import { ActionForm } from '../../../actions/action-form.js';
import { ActionResult } from '../../../actions/action-result.js';
import { AttachedFields } from '../../../actions/attached-fields.js';
import { hasMessage, judgeMessage, noMessage } from '../../../actions/attached-message.js';
import { ChoiceField, TextField } from '../../../actions/fields.js';
import { More } from '../../../actions/more.js';
import { KeyField, SigningFields } from '../../../actions/signing-fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { Json } from '../../../components/text/json.js';
import styles from '../contracts.module.css';
import { readEntries } from '../entries.js';
import { parametersOf } from '../parameters.js';
import { AddressField } from './address-field.js';
import { ParameterFields } from './parameter-fields.js';
import { addressPattern, addressProblem, callAction, type CallKind, type CallTarget } from './requests.js';

const initial = { kind: '', address: '', value: '', key: '', idempotencyKey: '', ...noMessage };
const noArguments: Readonly<Record<string, string>> = {};

interface Props {
  readonly method: FfiMethod;
  readonly target: CallTarget;
}

/** The form that calls a method, generated from its interface, then the output or the progress of the call. */
export function CallForm({ method, target }: Props) {
  const call = useCall(method, target);
  const query = useAction(Raw);
  const invocation = useAction(Operation, 'operations');
  const [made, setMade] = useState<string | undefined>(undefined);
  const { action, tried } = call;
  const fields = <CallFields call={call} />;
  if (call.kind === 'query')
    return (
      <>
        <ActionForm action={action} run={query} submit="Query" onDone={() => undefined} onTried={tried}>
          {fields}
        </ActionForm>
        {query.answer !== undefined && (
          <section className={styles.answer} aria-label="Answer" aria-live="polite">
            <Json key={query.answer.text} text={query.answer.text} what="the answer" />
          </section>
        )}
      </>
    );
  if (made !== undefined)
    return <ActionResult transaction={made} again="Call again" onAgain={() => setMade(undefined)} />;
  return (
    <ActionForm action={action} run={invocation} submit="Invoke" onDone={({ tx }) => setMade(tx)} onTried={tried}>
      {fields}
    </ActionForm>
  );
}

/** The state of the form, with the request; undefined while the form is incomplete. */
function useCall(method: FfiMethod, target: CallTarget) {
  const path = method.pathname ?? method.name;
  const name = `call ${target.kind === 'api' ? target.name : target.id} ${path}`;
  const { values, set } = useFields(name, initial);
  const { values: entered, set: setArgument } = useFields<string>(`${name} arguments`, noArguments);
  const [isTried, setTried] = useState(false);
  const mutability = mutabilityOf(method);
  const kind = kindOf(values.kind, mutability);
  const isPayable = mutability === 'payable' || mutability === undefined;
  const needsAddress = target.kind === 'interface' || target.address === undefined;
  const problems = useProblems(values, {
    ...(needsAddress && !addressPattern.test(values.address) && { address: addressProblem }),
    ...(isPayable &&
      values.value !== '' &&
      !/^\d{1,78}$/.test(values.value) && { value: 'Enter an amount of wei: digits only.' }),
    ...(kind === 'invoke' && judgeMessage(values)),
  });
  const parameters = parametersOf(method.params);
  const input = readEntries(parameters, entered)?.object;
  const address = needsAddress ? values.address : '';
  const isComplete = problems.isComplete && input !== undefined;
  const action = isComplete
    ? callAction({ ...values, value: isPayable ? values.value : '', kind, target, method: path, input, address })
    : undefined;
  const tried = () => {
    setTried(true);
    problems.tried();
  };
  return {
    values,
    set,
    entered,
    setArgument,
    kind,
    isPayable,
    needsAddress,
    problems,
    parameters,
    action,
    isTried,
    tried,
  };
}

function CallFields({ call }: { readonly call: ReturnType<typeof useCall> }) {
  const { values, set, kind, isPayable, needsAddress, problems, parameters, entered, setArgument, isTried } = call;
  return (
    <>
      <ChoiceField
        label="Type of call"
        value={kind}
        onChange={set('kind')}
        options={[
          ['query', 'query: read only'],
          ['invoke', 'invoke: send a transaction'],
        ]}
      />
      {needsAddress && <AddressField value={values.address} onChange={set('address')} error={problems.of('address')} />}
      <ParameterFields
        parameters={parameters}
        entered={entered}
        onChange={(field, value) => setArgument(field)(value)}
        isTried={isTried}
      />
      {kind === 'invoke' && isPayable && (
        <TextField
          label="Value"
          value={values.value}
          onChange={set('value')}
          error={problems.of('value')}
          hint="The amount of wei to send. Default: none."
        />
      )}
      {kind === 'invoke' && (
        <More open="Attach message" close="Hide message" isOpenAtFirst={hasMessage(values)}>
          <AttachedFields values={values} set={set} problemOf={problems.of} />
        </More>
      )}
      <More>
        {kind === 'invoke' ? (
          <SigningFields values={values} set={set} />
        ) : (
          <KeyField value={values.key} onChange={set('key')} />
        )}
      </More>
    </>
  );
}

/** The selected type of call; default: the one that the mutability of the method suggests. */
function kindOf(chosen: string, mutability: string | undefined): CallKind {
  if (chosen === 'query' || chosen === 'invoke') return chosen;
  return mutability === 'view' || mutability === 'pure' ? 'query' : 'invoke';
}

/** The `stateMutability` of a method in Solidity; undefined if the interface does not have it. */
function mutabilityOf({ details }: FfiMethod): string | undefined {
  const value: unknown = details === undefined ? undefined : valueOf(details);
  const mutability: unknown = value instanceof Object ? Reflect.get(value, 'stateMutability') : undefined;
  return typeof mutability === 'string' ? mutability : undefined;
}
