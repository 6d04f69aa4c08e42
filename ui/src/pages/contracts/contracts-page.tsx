import { OperationRecord } from '../../actions/operations/operation-record.js';
import { type Part, Parts } from '../../components/page/parts.js';
import { ApiRecord } from './api-record.js';
import { ApisView } from './apis-view.js';
import { CallsView } from './calls-view.js';
import { HeardRecord } from './heard-record.js';
import { HeardView } from './heard-view.js';
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
    title: 'Events heard',
    List: HeardView,
    recordTitle: 'Event',
    record: (id) => <HeardRecord id={id} />,
  },
  {
    id: 'operations',
    title: 'Deployments and calls',
    List: CallsView,
    recordTitle: 'Operation',
    record: (id) => <OperationRecord id={id} />,
  },
];

/** Contracts of users: interfaces, named contracts, listeners, their events, deployments and calls. */
export function ContractsPage() {
  return <Parts of={parts} />;
}
