import { useMemo } from 'react';
import { fieldsOf } from '../../../../src/wire/fields.js';
import type { Group } from '../../../../src/wire/group.js';
import { usePlace } from '../../api/explorer.js';
import { judgeFilter, parametersOf } from '../../api/filter.js';
import { useRows } from '../../api/rows.js';
import { Author } from '../../components/author.js';
import { Empty } from '../../components/empty.js';
import { Filters } from '../../components/filters.js';
import { Link } from '../../components/link.js';
import { List } from '../../components/list.js';
import { Page, Scroll } from '../../components/page.js';
import { Split } from '../../components/split.js';
import type { Column } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { pagePlace } from '../../url/place.js';
import { GroupRecord } from './group-record.js';

const fieldNames = Object.keys(fieldsOf('groups'));

const columns: readonly Column<Group>[] = [
  { name: 'hash', title: 'Group', width: 104, render: ({ hash }) => <code title={hash}>{hash.slice(0, 8)}</code> },
  {
    ...{ name: 'members', title: 'Members' },
    render: ({ members }) =>
      members.map(({ identity, node }, index) => (
        <span key={`${identity} ${node}`}>
          {index > 0 && ', '}
          <Author did={identity} />
        </span>
      )),
  },
  { name: 'name', title: 'Name', width: 200, from: 620, render: ({ name }) => <Text value={name} /> },
  { name: 'age', title: 'Age', width: 96, isNumber: true, render: ({ created }) => <Time iso={created} /> },
];

/** Who has private messages with whom, as far as this node is a member; or one group alone. */
export function GroupsPage() {
  const { id } = usePlace();
  if (id === undefined) return <GroupList />;
  return (
    <Page title="Group">
      <Scroll>
        <GroupRecord key={id} hash={id} />
      </Scroll>
    </Page>
  );
}

function GroupList() {
  const place = usePlace();
  const { open, from, to, filters } = place;
  const parameters = useMemo(
    () => parametersOf('groups', place, Date.now()),
    // Only these decide what is asked for.
    [from, to, filters],
  );
  const rows = useRows({
    ...({ subject: 'groups', list: 'listGroups', parameters } as const),
    keyOf: ({ hash }) => hash,
    compare: (left, right) => (left.created < right.created ? 1 : left.created > right.created ? -1 : 0),
  });
  return (
    <Split panelTitle="Group" panel={open === undefined ? undefined : <GroupRecord key={open} hash={open} />}>
      <Page title="Groups">
        <Filters fields={fieldNames} judge={(filter) => judgeFilter('groups', filter)} example="name=^trade" />
        <List
          label="groups"
          of={rows}
          request="GET groups"
          columns={columns}
          keyOf={({ hash }) => hash}
          placeOf={({ hash }) => ({ open: hash })}
          empty={
            <Empty
              sentence="There is no group yet. The members of the first private message form one."
              command="stack send 'only for you' --to bob"
            >
              <Link className="button" to={pagePlace(place, 'compose')}>
                Compose a message
              </Link>
            </Empty>
          }
        />
      </Page>
    </Split>
  );
}
