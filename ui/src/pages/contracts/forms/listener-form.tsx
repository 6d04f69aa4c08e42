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
import { HeardList } from '../heard-list.js';
import { addressOf } from '../location.js';
import { AddressField } from './address-field.js';
import { addressPattern, type CallTarget, listenerAction } from './requests.js';

const initial = { api: '', event: '', name: '', topic: '', firstEvent: 'oldest', address: '' };

interface Props {
  /** The API or interface that is looked at; without one an API is chosen in the form. */
  readonly target?: CallTarget;
  /** The path of the event; chosen in the form where it is absent. */
  readonly event?: string;
}

/** Makes a listener for an event of a contract, and shows what it hears. */
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
      <div className={styles.heard} role="region" aria-label="Events heard" aria-live="polite">
        <p>
          <Text value={made.name} /> hears <Text value={made.signature} />.
        </p>
        <HeardList listeners={[made.id]} />
      </div>
    );
  return (
    <ActionForm action={form.action} run={run} submit="Listen" onDone={done} onTried={form.problems.tried}>
      <EventFields form={form} {...props} />
      <OtherFields form={form} />
    </ActionForm>
  );
}

/** The state of the form, and the request that it makes; undefined while it is not complete. */
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
    ...(listened === undefined && { api: 'Choose an API.' }),
    ...(fields.event === '' && { event: 'Choose an event.' }),
    ...(fields.topic === '' && { topic: 'Name the topic of the events.' }),
    ...(!firstEventPattern.test(fields.firstEvent) && { firstEvent: 'Write oldest, newest, or a block in digits.' }),
    ...(isAddressNeeded && !addressPattern.test(values.address) && { address: 'Write 0x and 40 hex digits.' }),
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

/** The event and its contract, as far as they are not known. */
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
          options={[['', 'Choose an API'], ...apis.map(({ name }) => [name, name] as const)]}
        />
      )}
      {event === undefined && (
        <ChoiceField
          label="Event"
          value={values.event}
          onChange={set('event')}
          error={problems.of('event')}
          options={[['', 'Choose an event'], ...events.map((name) => [name, name] as const)]}
        />
      )}
      {isAddressOpen && (
        <AddressField
          value={values.address}
          onChange={set('address')}
          error={problems.of('address')}
          {...(listened?.kind === 'interface' && { hint: 'The address of the contract; empty: any contract.' })}
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
        hint="The topic of the events of this node."
        hasFocus
      />
      <TextField label="Name" value={values.name} onChange={set('name')} hint="Default: one that the node makes." />
      <SuggestField
        label="From"
        value={values.firstEvent}
        onChange={set('firstEvent')}
        error={problems.of('firstEvent')}
        hint="oldest: everything that the contract ever said; newest: from now on; or the number of the first block."
        suggestions={[{ value: 'oldest' }, { value: 'newest' }]}
      />
    </>
  );
}

/** The events of a contract API, by their paths. */
function useEvents(api: string | undefined): readonly string[] {
  const found = useRead(
    'interfaces',
    ['of api', api],
    (client, signal) => client.getContractApiInterface({ path: { name: api ?? '' }, signal }),
    { isEnabled: api !== undefined },
  );
  return found.data?.value.events?.map(({ pathname, name }) => pathname ?? name) ?? [];
}
