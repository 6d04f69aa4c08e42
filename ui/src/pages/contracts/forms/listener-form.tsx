import { useState } from 'react';
import { readPage } from '../../../../../src/client/page.js';
import { type ContractApi, ContractListener } from '../../../../../src/wire/contracts/contract.js';
import { ActionForm } from '../../../actions/action-form.js';
import { ChoiceField, TextField } from '../../../actions/fields.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { useRead } from '../../../api/read.js';
import { Text } from '../../../components/text/text.js';
import styles from '../contracts.module.css';
import { ContractEventList } from '../contract-event-list.js';
import { addressOf } from '../location.js';
import { AddressField } from './address-field.js';
import { addressPattern, addressProblem, type CallTarget, listenerAction } from './requests.js';

const initial = { api: '', event: '', name: '', topic: '', firstEvent: 'oldest', address: '' };

interface Props {
  /** The API or interface; without one an API is selected in the form. */
  readonly target?: CallTarget;
  /** The path of the event; without one it is selected in the form. */
  readonly event?: string;
}

/** The form that creates a listener for an event of a contract, then the events that it receives. */
export function ListenerForm(props: Props) {
  const form = useListener(props);
  const run = useAction(ContractListener, 'listeners');
  const [made, setMade] = useState<ContractListener | undefined>(undefined);
  const done = (listener: ContractListener) => {
    setMade(listener);
    form.reset();
    form.problems.forget();
  };
  if (made !== undefined)
    return (
      <div className={styles.events} role="region" aria-label="Contract events" aria-live="polite">
        <p>
          <Text value={made.name} /> listens for <Text value={made.signature} />.
        </p>
        <ContractEventList listeners={[made.id]} />
      </div>
    );
  return (
    <ActionForm action={form.action} run={run} submit="Listen" onDone={done} onTried={form.problems.tried}>
      <EventFields form={form} {...props} />
      <OtherFields form={form} />
    </ActionForm>
  );
}

/** The state of the form, with the request; undefined while the form is incomplete. */
function useListener({ target, event }: Props) {
  const name = target === undefined ? '' : target.kind === 'api' ? target.name : target.id;
  const { values, set, reset } = useFields(`contract listener ${name} ${event ?? ''}`, initial);
  const read = useRead(
    'apis',
    ['all'],
    (client, signal) => readPage(client, 'listContractApis', [['limit', '1000']], signal),
    { isEnabled: target === undefined },
  );
  const apis = read.data?.entries.map(({ value }) => value) ?? [];
  const chosen = apis.find((each) => each.name === values.api);
  const listened = target ?? targetOf(chosen);
  const events = useEvents(chosen?.name);
  const fields = { ...values, event: event ?? values.event };
  const isAddressOpen = listened?.kind === 'interface' || (listened !== undefined && listened.address === undefined);
  const isAddressNeeded = isAddressOpen && (listened.kind === 'api' || values.address !== '');
  const problems = useProblems(fields, {
    ...(listened === undefined && { api: 'Select an API.' }),
    ...(fields.event === '' && { event: 'Select an event.' }),
    ...(fields.topic === '' && { topic: 'Enter the topic of the events.' }),
    ...(!firstEventPattern.test(fields.firstEvent) && { firstEvent: 'Enter oldest, newest, or a block number.' }),
    ...(isAddressNeeded && !addressPattern.test(values.address) && { address: addressProblem }),
  });
  const address = isAddressOpen ? values.address : '';
  const isComplete = problems.isComplete && listened !== undefined;
  const action = isComplete ? listenerAction({ ...fields, target: listened, address }) : undefined;
  return { values, set, reset, apis, events, listened, isAddressOpen, problems, action };
}

const firstEventPattern = /^(?:oldest|newest|\d{1,15})$/;

function targetOf(api: ContractApi | undefined): CallTarget | undefined {
  return api === undefined ? undefined : { kind: 'api', name: api.name, address: addressOf(api.location) };
}

interface FieldsProps {
  readonly form: ReturnType<typeof useListener>;
}

/** The fields for contract and event, unless they are given. */
function EventFields({ form, target, event }: FieldsProps & Props) {
  const { values, set, apis, events, listened, isAddressOpen, problems } = form;
  return (
    <>
      {target === undefined && (
        <ChoiceField
          label="API"
          value={values.api}
          onChange={set('api')}
          error={problems.of('api')}
          options={[['', 'Select an API'], ...apis.map(({ name }) => [name, name] as const)]}
        />
      )}
      {event === undefined && (
        <ChoiceField
          label="Event"
          value={values.event}
          onChange={set('event')}
          error={problems.of('event')}
          options={[['', 'Select an event'], ...events.map((name) => [name, name] as const)]}
        />
      )}
      {isAddressOpen && (
        <AddressField
          value={values.address}
          onChange={set('address')}
          error={problems.of('address')}
          {...(listened?.kind === 'interface' && { hint: 'The address of the contract; empty for any contract.' })}
        />
      )}
    </>
  );
}

function OtherFields({ form: { values, set, problems } }: FieldsProps) {
  return (
    <>
      <TextField
        label="Topic"
        value={values.topic}
        onChange={set('topic')}
        error={problems.of('topic')}
        hint="The topic for the events on this node."
        hasFocus
      />
      <TextField label="Name" value={values.name} onChange={set('name')} hint="Default: generated by the node." />
      <SuggestField
        label="First event"
        value={values.firstEvent}
        onChange={set('firstEvent')}
        error={problems.of('firstEvent')}
        hint="oldest: from the first block; newest: from now on; or a block number."
        suggestions={[{ value: 'oldest' }, { value: 'newest' }]}
      />
    </>
  );
}

/** Reads the events of a contract API, by path. */
function useEvents(api: string | undefined): readonly string[] {
  const found = useRead(
    'interfaces',
    ['of api', api],
    (client, signal) => client.getContractApiInterface({ path: { name: api ?? '' }, signal }),
    { isEnabled: api !== undefined },
  );
  return found.data?.value.events?.map(({ pathname, name }) => pathname ?? name) ?? [];
}
