import { useState } from 'react';
import { readPage } from '../../../../../src/client/page.js';
import { ContractListener } from '../../../../../src/wire/contract.js';
import { ActionForm } from '../../../actions/action-form.js';
import { ChoiceField, TextField } from '../../../actions/fields.js';
import { useAction } from '../../../actions/use-action.js';
import { useFields } from '../../../actions/use-fields.js';
import { useProblems } from '../../../actions/use-problems.js';
import { useRead } from '../../../api/read.js';
import { Text } from '../../../components/text.js';
import styles from '../contracts.module.css';
import { HeardList } from '../heard-list.js';
import { addressOf } from '../location.js';
import { AddressField } from './address-field.js';
import { addressPattern, listenerAction } from './requests.js';

const initial = { api: '', event: '', name: '', topic: '', firstEvent: 'oldest', address: '' };

interface Props {
  /** The API and the event that are looked at; chosen in the form where they are absent. */
  readonly api?: string;
  readonly event?: string;
  readonly address?: string | undefined;
}

/** Makes a listener for an event of a contract API, and shows what it hears. */
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
function useListener({ api, event, address }: Props) {
  const { values, set, reset } = useFields(`contract listener ${api ?? ''} ${event ?? ''}`, initial);
  const read = useRead('apis', ['all'], (client, signal) =>
    readPage(client, 'listContractApis', [['limit', '1000']], signal),
  );
  const apis = read.data?.entries.map(({ value }) => value) ?? [];
  const chosen = apis.find(({ name }) => name === (api ?? values.api));
  const events = useEvents(chosen?.name);
  const place = address ?? addressOf(chosen?.location);
  const fields = { ...values, api: api ?? values.api, event: event ?? values.event };
  const needsAddress = chosen !== undefined && place === undefined;
  const problems = useProblems(fields, {
    ...(fields.api === '' && { api: 'Choose an API.' }),
    ...(fields.event === '' && { event: 'Choose an event.' }),
    ...(fields.topic === '' && { topic: 'Name the topic of the events.' }),
    ...(needsAddress && !addressPattern.test(values.address) && { address: 'Write 0x and 40 hex digits.' }),
  });
  const sent = { ...fields, address: needsAddress ? values.address : '' };
  const action = problems.isComplete ? listenerAction(sent) : undefined;
  return { values, set, reset, apis, events, needsAddress, problems, action };
}

interface FieldsProps {
  readonly form: ReturnType<typeof useListener>;
}

/** What is listened for, as far as it is not known. */
function EventFields({ form, api, event }: FieldsProps & Props) {
  const { values, set, apis, events, needsAddress, problems } = form;
  return (
    <>
      {api === undefined && (
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
      {needsAddress && <AddressField value={values.address} onChange={set('address')} error={problems.of('address')} />}
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
        hint="Under which the events of this node are."
        hasFocus
      />
      <TextField label="Name" value={values.name} onChange={set('name')} hint="Default: one that the node makes." />
      <ChoiceField
        label="From"
        value={values.firstEvent}
        onChange={set('firstEvent')}
        options={[
          ['oldest', 'oldest: all that the contract ever said'],
          ['newest', 'newest: what it says from now on'],
        ]}
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
