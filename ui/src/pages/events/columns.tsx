import type { Event } from '../../../../src/wire/event-record.js';
import { Author } from '../../components/author.js';
import type { Column } from '../../components/columns.js';
import { Text } from '../../components/text.js';
import { ClockTime } from '../../components/time.js';

export const eventColumns: readonly Column<Event>[] = [
  {
    ...{ name: 'sequence', title: 'Sequence', width: 88 },
    sort: { field: 'sequence', keyOf: ({ sequence }) => sequence },
    render: ({ sequence }) => sequence,
  },
  {
    ...{ name: 'time', title: 'Time', width: 104 },
    sort: { field: 'created', keyOf: ({ created }) => created },
    render: ({ created }) => <ClockTime iso={created} />,
  },
  {
    ...{ name: 'type', title: 'Type' },
    sort: { field: 'type', keyOf: ({ type }) => type },
    render: ({ type }) => type,
  },
  {
    ...{ name: 'reference', title: 'Reference', width: 104, from: 620 },
    render: ({ reference }) => <code title={reference}>{reference.slice(0, 8)}</code>,
    copy: ({ reference }) => reference,
  },
  {
    ...{ name: 'author', title: 'Author', width: 112, from: 720 },
    render: ({ message }) => (message === undefined ? null : <Author did={message.header.author} />),
  },
  { name: 'tag', title: 'Tag', from: 860, render: ({ message }) => <Text value={message?.header.tag ?? ''} /> },
  { name: 'topic', title: 'Topic', from: 540, render: ({ topic }) => <Text value={topic ?? ''} /> },
];
