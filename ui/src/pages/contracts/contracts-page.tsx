import { OperationRecord } from '../../actions/operations/operation-record.js';
import { type Part, Parts } from '../../components/page/parts.js';
import { ApiRecord } from './api-record.js';
import { ApisView } from './apis-view.js';
import { CallsView } from './calls-view.js';
import { ContractEventRecord } from './contract-event-record.js';
import { ContractEventsView } from './contract-events-view.js';
import { InterfaceRecord } from './interface-record.js';
import { InterfacesView } from './interfaces-view.js';
import { ListenerRecord } from './listener-record.js';
import { ListenersView } from './listeners-view.js';

const parts: readonly [Part, ...Part[]] = [
  {
    id: 'interfaces',
    title: 'Interfaces',
    List: InterfacesView,
    recordTitle: 'Interface',
    record: (id) => <InterfaceRecord id={id} />,
  },
  {
    id: 'apis',
    title: 'APIs',
    List: ApisView,
    recordTitle: 'Contract API',
    record: (name) => <ApiRecord name={name} />,
  },
  {
    id: 'listeners',
    title: 'Listeners',
    List: ListenersView,
    recordTitle: 'Listener',
    record: (id) => <ListenerRecord id={id} />,
  },
  {
    id: 'events',
    title: 'Contract events',
    List: ContractEventsView,
    recordTitle: 'Event',
    record: (id) => <ContractEventRecord id={id} />,
  },
  {
    id: 'operations',
    title: 'Deployments and calls',
    List: CallsView,
    recordTitle: 'Operation',
    record: (id) => <OperationRecord id={id} />,
  },
];

/** Contracts: interfaces, APIs, listeners, events, deployments and calls. */
export function ContractsPage() {
  return <Parts of={parts} />;
}
