import { isMissing } from '../../api/missing.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Events, Methods } from './callable-members.js';
import { InterfaceActions } from './forms/interface-actions.js';
import { Members } from './members.js';
import { Published } from './published.js';

/** An interface with its methods, events and errors, which can be used with any address. */
export function InterfaceRecord({ id }: { readonly id: string }) {
  const found = useRead('interfaces', ['one', id], (client, signal) =>
    client.getContractInterface({ path: { interfaceid: id }, query: { fetchchildren: true }, signal }),
  );
  if (found.data === undefined || isMissing(found.error)) {
    if (found.error === null) return <Skeleton rows={8} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} what="interface" onRetry={retry} />;
  }
  const { value, text } = found.data;
  const { name, version, description, networkName, published, message, methods = [], events = [], errors = [] } = value;
  const target = { kind: 'interface', id } as const;
  return (
    <article aria-label={`Interface ${id}`}>
      <Section title={`${name} ${version}`}>
        <Facts
          of={[
            ['Id', <Id key="id" id={id} what="the id of the interface" isWhole />],
            ['Description', description === undefined || description === '' ? undefined : <Text value={description} />],
            ['Visible to', <Published key="published" isPublished={published} />],
            [
              'Network name',
              networkName === undefined || networkName === name ? undefined : <Text value={networkName} />,
            ],
            ['Definition', message === undefined ? undefined : <Id id={message} what="the message that defines it" />],
          ]}
        />
      </Section>
      <InterfaceActions of={value} />
      <Methods of={methods} target={target} />
      <Events of={events} target={target} />
      <Members title="Errors" none="No errors." of={errors} />
      <Section title="As served">
        <Json text={text} what="the interface" />
      </Section>
    </article>
  );
}
