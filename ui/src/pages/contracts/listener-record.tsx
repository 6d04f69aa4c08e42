import { Type } from '@sinclair/typebox';
import { ActionButton } from '../../actions/action-button.js';
import { useExplorer } from '../../api/explorer.js';
import { isMissing } from '../../api/missing.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { deleteListenerAction } from './forms/requests.js';
import { ContractEventList } from './contract-event-list.js';
import { InterfaceName } from './interface-name.js';
import { ListenerState } from './listener-state.js';
import { Location } from './location.js';

/** A listener with the events that it has received. */
export function ListenerRecord({ id }: { readonly id: string }) {
  const found = useRead('listeners', ['one', id], (client, signal) =>
    client.getContractListener({ path: { nameorid: id }, signal }),
  );
  if (found.data === undefined || isMissing(found.error)) {
    if (found.error === null) return <Skeleton rows={8} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} what="listener" onRetry={retry} />;
  }
  const { value, text } = found.data;
  const { name, signature, topic, created, options, filters } = value;
  const [filter] = filters;
  return (
    <article aria-label={`Listener ${id}`}>
      <Section title={name} actions={<ListenerState listener={value} />}>
        <Facts
          of={[
            ['Id', <Id key="id" id={value.id} what="the id of the listener" isWhole />],
            ['Event', <Text key="signature" value={signature} />],
            ['Address', <Location key="location" of={filter?.location ?? value.location} isWhole />],
            ['Interface', <InterfaceName key="interface" id={filter?.interface?.id ?? value.interface?.id} />],
            ['Topic', <Text key="topic" value={topic} />],
            ['First event', <Text key="first" value={options.firstEvent} />],
            ['Created', <Time key="created" iso={created} />],
          ]}
        />
      </Section>
      <Section title="Contract events">
        <ContractEventList listeners={[value.id]} />
      </Section>
      <Deletion id={value.id} name={name} />
      <Section title="As served">
        <Json text={text} what="the listener" />
      </Section>
    </article>
  );
}

function Deletion({ id, name }: { readonly id: string; readonly name: string }) {
  const { places } = useExplorer();
  return (
    <Section title="Actions">
      <ActionButton
        label="Delete"
        title="Delete the listener"
        action={deleteListenerAction(id)}
        schema={Type.Null()}
        subjects={['listeners']}
        onDone={() => places.go({ open: undefined, id: 'listeners' })}
      >
        <p>
          <Text value={name} /> receives no more events. The events that it has received are kept.
        </p>
      </ActionButton>
    </Section>
  );
}
