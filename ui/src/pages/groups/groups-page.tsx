import type { Group } from '../../../../src/wire/messages/group.js';
import { usePlace } from '../../api/explorer.js';
import { Author } from '../../components/record/author.js';
import { Alone, Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import { Link } from '../../components/link.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { pagePlace } from '../../url/place.js';
import { GroupRecord } from './group-record.js';

const columns: readonly Column<Group>[] = [
  {
    name: 'hash',
    title: 'Group',
    width: 116,
    render: ({ hash }) => <code title={hash}>{hash.slice(0, 8)}</code>,
    copy: ({ hash }) => hash,
  },
  {
    name: 'members',
    title: 'Members',
    render: ({ members }) =>
      members.map(({ identity, node }, index) => (
        <span key={`${identity} ${node}`}>
          {index > 0 && ', '}
          <Author did={identity} />
        </span>
      )),
  },
  {
    name: 'name',
    title: 'Name',
    width: 200,
    from: 620,
    sort: { field: 'name' },
    render: ({ name }) => <Text value={name} />,
  },
  {
    name: 'age',
    title: 'Age',
    width: 96,
    isNumber: true,
    sort: { field: 'created', keyOf: ({ created }) => created },
    render: ({ created }) => <Time iso={created} />,
  },
];

/** The list of groups with private messages that include this node, or a single group. */
export function GroupsPage() {
  const place = usePlace();
  const { id } = place;
  if (id !== undefined)
    return (
      <Alone title="Group">
        <GroupRecord key={id} hash={id} />
      </Alone>
    );
  return (
    <Browse
      title="Groups"
      label="groups"
      collection="groups"
      subject="groups"
      list="listGroups"
      keyOf={({ hash }) => hash}
      columns={columns}
      example="name=^trade"
      record={(hash) => <GroupRecord hash={hash} />}
      recordTitle="Group"
      empty={
        <Empty
          sentence="No groups yet. The author and recipients of a private message form a group."
          command="stack send 'only for you' --to bob"
        >
          <Link className="button" to={pagePlace(place, 'compose')}>
            Compose a message
          </Link>
        </Empty>
      }
    />
  );
}
