import type { Message } from '../../../../src/wire/messages/message.js';
import type { Sorting } from '../../api/sorting.js';
import { Author } from '../../components/record/author.js';
import { Id } from '../../components/record/id.js';
import { MessageKind } from '../../components/record/message-kind.js';
import { State } from '../../components/record/state.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';

export const messageColumns: readonly Column<Message>[] = [
  {
    name: 'id',
    title: 'Message',
    width: 116,
    render: ({ header }) => <code title={header.id}>{header.id.slice(0, 8)}</code>,
    copy: ({ header }) => header.id,
  },
  {
    name: 'state',
    title: 'State',
    width: 112,
    sort: { field: 'state', keyOf: ({ state }) => state },
    render: ({ state }) => <State state={state} />,
  },
  {
    name: 'type',
    title: 'Type',
    width: 144,
    from: 700,
    sort: { field: 'type', keyOf: ({ header }) => header.type },
    render: ({ header }) => <MessageKind type={header.type} />,
  },
  {
    name: 'author',
    title: 'Author',
    width: 112,
    from: 520,
    sort: { field: 'author', keyOf: ({ header }) => header.author },
    render: ({ header }) => <Author did={header.author} />,
  },
  {
    name: 'tag',
    title: 'Tag',
    from: 820,
    sort: { field: 'tag' },
    render: ({ header }) => <Text value={header.tag ?? ''} />,
  },
  { name: 'topics', title: 'Topics', from: 460, render: ({ header }) => <Text value={header.topics.join(', ')} /> },
  {
    name: 'group',
    title: 'Group',
    width: 120,
    from: 1000,
    render: ({ header }) => (header.group === undefined ? null : <Id id={header.group} what="the group" />),
  },
  { name: 'data', title: 'Data', width: 56, isNumber: true, from: 880, render: ({ data }) => data.length },
  {
    name: 'age',
    title: 'Age',
    width: 96,
    isNumber: true,
    from: 340,
    sort: { field: 'created', keyOf: ({ header }) => header.created },
    render: ({ header }) => <Time iso={header.created} />,
  },
];

/** The default order of the node: undecided messages first, then by time of decision. Undecided ones have no key. */
export const undecidedFirst: Sorting<Message> = {
  field: 'decided',
  isDescending: true,
  isOwn: true,
  keyOf: ({ confirmed, rejected }) => confirmed ?? rejected,
};
