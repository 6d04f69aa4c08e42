import type { Subscription } from '../../../../src/wire/events/subscription.js';
import { Tone } from '../../components/record/state.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { filtersOf, settingsOf } from './settings.js';

export const subscriptionColumns: readonly Column<Subscription>[] = [
  {
    name: 'name',
    title: 'Name',
    width: 144,
    sort: { field: 'name', keyOf: ({ name }) => name },
    render: ({ name }) => <Text value={name} />,
  },
  {
    name: 'transport',
    title: 'Transport',
    width: 104,
    from: 620,
    sort: { field: 'transport', keyOf: ({ transport }) => transport },
    render: ({ transport }) => transport,
  },
  { name: 'filter', title: 'Filter', from: 700, render: ({ filter }) => <FilterText filter={filter} /> },
  {
    name: 'first',
    title: 'First event',
    width: 96,
    from: 900,
    render: (row) => <Text value={settingsOf(row).firstEvent} />,
  },
  {
    name: 'readahead',
    title: 'Read-ahead',
    width: 96,
    isNumber: true,
    from: 980,
    render: (row) => <Text value={settingsOf(row).readAhead} />,
  },
  {
    name: 'acknowledged',
    title: 'Acknowledged',
    width: 112,
    isNumber: true,
    from: 520,
    render: ({ status }) => status?.currentOffset ?? '',
  },
  { name: 'lag', title: 'Lag', width: 64, from: 340, isNumber: true, render: ({ status }) => status?.lag ?? '' },
  {
    name: 'connections',
    title: 'Connections',
    width: 128,
    render: (row) => <DeliveryState subscription={row} />,
  },
  {
    name: 'age',
    title: 'Age',
    width: 96,
    isNumber: true,
    from: 460,
    sort: { field: 'created', keyOf: ({ created }) => created },
    render: ({ created }) => <Time iso={created} />,
  },
];

export function FilterText({ filter }: Pick<Subscription, 'filter'>) {
  const filters = filtersOf(filter);
  return filters.length === 0 ? <span className="muted">every event</span> : <Text value={filters.join('  ')} />;
}

/** The state of the delivery of a subscription. */
export function DeliveryState({ subscription: { transport, status } }: { readonly subscription: Subscription }) {
  if (status === undefined) return null;
  const { connections, delivery } = status;
  if (delivery !== undefined && delivery.failures > 0)
    return <Tone tone="rejected" icon="cross" word={`${delivery.failures} failed`} />;
  if (transport === 'webhooks') return <Tone tone="confirmed" icon="check" word="active" />;
  if (connections === 0) return <Tone tone="muted" icon="staged" word="none" />;
  return <Tone tone="confirmed" icon="check" word={connections === 1 ? '1' : `1, ${connections - 1} standby`} />;
}
