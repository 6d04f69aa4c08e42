import type { Event } from '../../../../src/wire/events/event-record.js';
import { Author } from '../../components/record/author.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { ClockTime } from '../../components/text/time.js';

export const eventColumns: readonly Column<Event>[] = [
  {
    name: 'sequence',
    title: 'Sequence',
    width: 88,
    from: 420,
    sort: { field: 'sequence', keyOf: ({ sequence }) => sequence },
    render: ({ sequence }) => sequence,
  },
  {
    name: 'time',
    title: 'Time',
    width: 116,
    sort: { field: 'created', keyOf: ({ created }) => created },
    render: ({ created }) => <ClockTime iso={created} />,
  },
  {
    name: 'type',
    title: 'Type',
    sort: { field: 'type', keyOf: ({ type }) => type },
    render: ({ type }) => <span title={type}>{type}</span>,
  },
  {
    name: 'reference',
    title: 'Reference',
    width: 104,
    from: 700,
    render: ({ reference }) => <code title={reference}>{reference.slice(0, 8)}</code>,
    copy: ({ reference }) => reference,
  },
  {
    name: 'author',
    title: 'Author',
    width: 112,
    from: 820,
    render: ({ message }) => (message === undefined ? null : <Author did={message.header.author} />),
  },
  { name: 'tag', title: 'Tag', from: 940, render: ({ message }) => <Text value={message?.header.tag ?? ''} /> },
  { name: 'topic', title: 'Topic', from: 560, render: ({ topic }) => <Text value={topic ?? ''} /> },
];
