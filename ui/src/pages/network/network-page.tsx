import { readPage } from '../../../../src/client/page.js';
import type { Identity } from '../../../../src/wire/identity.js';
import { ActionDialog } from '../../actions/action-form.js';
import { usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { useRows } from '../../api/rows.js';
import { Empty } from '../../components/empty.js';
import { Failure } from '../../components/failure.js';
import { Filters } from '../../components/filters.js';
import { List } from '../../components/list.js';
import { Page, Scroll } from '../../components/page.js';
import { Split } from '../../components/split.js';
import type { Column } from '../../components/table.js';
import { Text } from '../../components/text.js';
import { Time } from '../../components/time.js';
import { fieldsOf } from '../../../../src/wire/fields.js';
import { judgeFilter, parametersOf } from '../../api/filter.js';
import { useMemo, useState } from 'react';
import { IdentityForm } from './identity-form.js';
import { IdentityRecord } from './identity-record.js';
import { ThisNode } from './this-node.js';

const fieldNames = Object.keys(fieldsOf('identities'));

/** The organisations, nodes and identities of the network, and this node among them; or one identity alone. */
export function NetworkPage() {
  const { id } = usePlace();
  if (id === undefined) return <IdentityList />;
  return (
    <Page title="Identity">
      <Scroll>
        <IdentityRecord key={id} id={id} />
      </Scroll>
    </Page>
  );
}

function IdentityList() {
  const place = usePlace();
  const { open, filters, from, to } = place;
  const parameters = useMemo(
    () => [...parametersOf('identities', place, Date.now()), ['fetchverifiers', 'true'] as const],
    // Only these decide what is asked for.
    [from, to, filters],
  );
  const rows = useRows({
    ...({ subject: 'identities', list: 'listIdentities', parameters } as const),
    keyOf: ({ id }) => id,
    compare: (left, right) => (left.created < right.created ? 1 : left.created > right.created ? -1 : 0),
  });
  const names = useOwners();
  const status = useRead('status', [], (client, signal) => client.getStatus({ signal }));
  return (
    <Split panelTitle="Identity" panel={open === undefined ? undefined : <IdentityRecord key={open} id={open} />}>
      <Page title="Network" actions={<CreateIdentity />}>
        {status.error !== null && status.data === undefined && (
          <Failure error={status.error} request="GET status" onRetry={() => void status.refetch()} />
        )}
        {status.data !== undefined && <ThisNode status={status.data.value} />}
        <Filters fields={fieldNames} judge={(filter) => judgeFilter('identities', filter)} example="type=org" />
        <List
          label="identities"
          of={rows}
          request="GET identities"
          columns={columnsWith(names)}
          keyOf={({ id }) => id}
          placeOf={({ id }) => ({ open: id })}
          empty={
            <Empty
              sentence="No identity is known here yet. Organisations appear when they are on the chain."
              command="stack status"
            />
          }
        />
      </Page>
    </Split>
  );
}

function CreateIdentity() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Create an identity
      </button>
      <ActionDialog title="Create an identity" isOpen={isOpen} onClose={() => setOpen(false)}>
        <IdentityForm onClose={() => setOpen(false)} />
      </ActionDialog>
    </>
  );
}

/** The names of organisations by their ids. */
function useOwners(): ReadonlyMap<string, string> {
  const orgs = useRead('identities', ['orgs'], (client, signal) =>
    readPage(client, 'listOrganizations', [['limit', '200']], signal),
  );
  return new Map(orgs.data?.entries.map(({ value }) => [value.id, value.name]));
}

function columnsWith(owners: ReadonlyMap<string, string>): readonly Column<Identity>[] {
  return [
    { name: 'name', title: 'Name', width: 176, render: ({ name }) => <Text value={name} /> },
    { name: 'type', title: 'Type', width: 80, render: ({ type }) => type },
    {
      ...{ name: 'parent', title: 'Organisation', width: 136, from: 560 },
      render: ({ parent }) => <Text value={parent === undefined ? '' : (owners.get(parent) ?? parent.slice(0, 8))} />,
    },
    { name: 'did', title: 'DID', from: 640, render: ({ did }) => <Text value={did} /> },
    {
      ...{ name: 'key', title: 'Key', width: 112, from: 760 },
      render: ({ verifiers = [] }) =>
        verifiers.map(({ value }) => (
          <code key={value} title={value}>
            {value.slice(0, value.startsWith('0x') ? 10 : 8)}{' '}
          </code>
        )),
    },
    { name: 'age', title: 'Since', width: 96, isNumber: true, render: ({ created }) => <Time iso={created} /> },
  ];
}
