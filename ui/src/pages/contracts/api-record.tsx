import type { ContractApi } from '../../../../src/wire/contracts/contract.js';
import { isMissing } from '../../api/missing.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { ApiActions } from './forms/api-actions.js';
import { Events, Methods } from './callable-members.js';
import { InterfaceName } from './interface-name.js';
import { ApiListeners } from './api-listeners.js';
import { addressOf, Location } from './location.js';
import { Members } from './members.js';
import { Published } from './published.js';

export function ApiRecord({ name }: { readonly name: string }) {
  const found = useRead('apis', ['one', name], (client, signal) =>
    client.getContractApi({ path: { api: name }, signal }),
  );
  if (found.data === undefined || isMissing(found.error)) {
    if (found.error === null) return <Skeleton rows={8} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} what="contract API" onRetry={retry} />;
  }
  const { value, text } = found.data;
  const { id, networkName, location, published, message, urls } = value;
  return (
    <article aria-label={`Contract API ${name}`}>
      <Section title={name}>
        <Facts
          of={[
            ['Id', <Id key="id" id={id} what="the id of the API" isWhole />],
            ['Interface', <InterfaceName key="interface" id={value.interface.id} />],
            ['Address', <Location key="location" of={location} isWhole />],
            ['Visible to', <Published key="published" isPublished={published} />],
            [
              'Network name',
              networkName === undefined || networkName === name ? undefined : <Text value={networkName} />,
            ],
            ['OpenAPI', <Id key="openapi" id={urls.openapi} what="the URL of the OpenAPI document" isWhole />],
            ['Definition', message === undefined ? undefined : <Id id={message} what="the message that defines it" />],
          ]}
        />
      </Section>
      <ApiActions api={value} />
      <ApiMembers api={value} />
      <Section title="As served">
        <Json text={text} what="the API" />
      </Section>
    </article>
  );
}

function ApiMembers({ api }: { readonly api: ContractApi }) {
  const { name, location } = api;
  const found = useRead('interfaces', ['of api', name, api.interface.id], (client, signal) =>
    client.getContractApiInterface({ path: { name }, signal }),
  );
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={4} />;
    return <Failure error={found.error} onRetry={() => void found.refetch()} />;
  }
  const { methods = [], events = [], errors = [] } = found.data.value;
  const target = { kind: 'api', name, address: addressOf(location) } as const;
  return (
    <>
      <Methods of={methods} target={target} />
      <Events of={events} target={target} />
      <Members title="Errors" none="No errors." of={errors} />
      <ApiListeners location={addressOf(location)} interfaceId={api.interface.id} />
    </>
  );
}
