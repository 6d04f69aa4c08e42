import type { ReactNode } from 'react';
import { usePlace } from '../../api/explorer.js';
import { Alone } from '../../components/browse.js';
import { type View, Views } from '../../components/views.js';
import { ApiRecord } from './api-record.js';
import { ApisView } from './apis-view.js';
import { HeardRecord } from './heard-record.js';
import { HeardView } from './heard-view.js';
import { InterfaceRecord } from './interface-record.js';
import { InterfacesView } from './interfaces-view.js';
import { ListenerRecord } from './listener-record.js';
import { ListenersView } from './listeners-view.js';
import { OperationRecord } from './operation-record.js';
import { OperationsView } from './operations-view.js';

const views: readonly View[] = [
  { id: undefined, title: 'Interfaces' },
  { id: 'apis', title: 'APIs' },
  { id: 'listeners', title: 'Listeners' },
  { id: 'events', title: 'Events heard' },
  { id: 'operations', title: 'Deployments and calls' },
];

const records: Readonly<
  Record<string, { readonly title: string; readonly render: (id: string) => ReactNode } | undefined>
> = {
  interfaces: { title: 'Interface', render: (id) => <InterfaceRecord key={id} id={id} /> },
  apis: { title: 'Contract API', render: (id) => <ApiRecord key={id} name={id} /> },
  listeners: { title: 'Listener', render: (id) => <ListenerRecord key={id} id={id} /> },
  events: { title: 'Event', render: (id) => <HeardRecord key={id} id={id} /> },
  operations: { title: 'Operation', render: (id) => <OperationRecord key={id} id={id} /> },
};

/** Contracts of users: what they offer, where they are, what they say and what was asked of them. */
export function ContractsPage() {
  const { id = '' } = usePlace();
  const [view = '', ...rest] = id.split('/');
  const record = records[view];
  if (record !== undefined && rest.length > 0)
    return <Alone title={record.title}>{record.render(rest.join('/'))}</Alone>;
  const nav = <Views label="Parts of the page" of={views} />;
  if (view === 'apis') return <ApisView>{nav}</ApisView>;
  if (view === 'listeners') return <ListenersView>{nav}</ListenersView>;
  if (view === 'events') return <HeardView>{nav}</HeardView>;
  if (view === 'operations') return <OperationsView>{nav}</OperationsView>;
  return <InterfacesView>{nav}</InterfacesView>;
}
