import { useState } from 'react';
import type { ContractApi, FfiEvent, FfiMethod } from '../../../../src/wire/contract.js';
import { ActionDialog } from '../../actions/action-form.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/failure.js';
import { Id } from '../../components/id.js';
import { Json } from '../../components/json.js';
import { Facts, Section } from '../../components/section.js';
import { Skeleton } from '../../components/skeleton.js';
import { Text } from '../../components/text.js';
import { CallForm } from './forms/call-form.js';
import { ListenerForm } from './forms/listener-form.js';
import { InterfaceName } from './interface-name.js';
import { ApiListeners } from './api-listeners.js';
import { addressOf, Location } from './location.js';
import { Members } from './members.js';
import { Published } from './published.js';

/** A contract with its name: each method can be called, each event listened for. */
export function ApiRecord({ name }: { readonly name: string }) {
  const found = useRead('apis', ['one', name], (client, signal) => client.getContractApi({ path: { name }, signal }));
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={8} />;
    const retry = () => void found.refetch();
    return <Failure error={found.error} request={`GET apis/${name}`} what="contract API" onRetry={retry} />;
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
            ['At', <Location key="location" of={location} isWhole />],
            ['Seen by', <Published key="published" isPublished={published} />],
            [
              'In the network',
              networkName === undefined || networkName === name ? undefined : <Text value={networkName} />,
            ],
            ['Description', <Id key="openapi" id={urls.openapi} what="the address of its description" isWhole />],
            ['Definition', message === undefined ? undefined : <Id id={message} what="the message that defines it" />],
          ]}
        />
      </Section>
      <Offers api={value} />
      <Section title="As served">
        <Json text={text} what="the API" />
      </Section>
    </article>
  );
}

function Offers({ api }: { readonly api: ContractApi }) {
  const { name, location } = api;
  const [method, setMethod] = useState<FfiMethod | undefined>(undefined);
  const [event, setEvent] = useState<FfiEvent | undefined>(undefined);
  const found = useRead('interfaces', ['of api', name], (client, signal) =>
    client.getContractApiInterface({ path: { name }, signal }),
  );
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton rows={4} />;
    return <Failure error={found.error} request={`GET apis/${name}/interface`} onRetry={() => void found.refetch()} />;
  }
  const { methods = [], events = [], errors = [] } = found.data.value;
  return (
    <>
      <Members
        title="Methods"
        none="It has no methods."
        of={methods}
        actions={(each) => (
          <button type="button" className="button" onClick={() => setMethod(each)}>
            Call
          </button>
        )}
      />
      <Members
        title="Events"
        none="It has no events."
        of={events}
        actions={(each) => (
          <button type="button" className="button" onClick={() => setEvent(each)}>
            Listen
          </button>
        )}
      />
      <Members title="Errors" none="It has no errors." of={errors} />
      <ApiListeners location={addressOf(location)} interfaceId={api.interface.id} />
      <ActionDialog
        title={`Call ${method?.name ?? ''}`}
        isOpen={method !== undefined}
        onClose={() => setMethod(undefined)}
      >
        {method !== undefined && (
          <CallForm method={method} target={{ kind: 'api', name, address: addressOf(location) }} />
        )}
      </ActionDialog>
      <ActionDialog
        title={`Listen for ${event?.name ?? ''}`}
        isOpen={event !== undefined}
        onClose={() => setEvent(undefined)}
      >
        {event !== undefined && (
          <ListenerForm api={name} event={event.pathname ?? event.name} address={addressOf(location)} />
        )}
      </ActionDialog>
    </>
  );
}
