import { useState } from 'react';
import { readPage } from '../../../../src/client/page.js';
import type { Identity } from '../../../../src/wire/identities/identity.js';
import { ActionDialog } from '../../actions/action-form.js';
import { useExplorer, usePlace } from '../../api/explorer.js';
import { useRead } from '../../api/read.js';
import { Alone, Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { Views } from '../../components/table/views.js';
import { IdentityForm } from './identity-form.js';
import { IdentityRecord } from './identity-record.js';
import { StackPage } from './stack-page.js';
import { ThisNode } from './this-node.js';

const stackView = 'stack';
const withKeys = [['fetchverifiers', 'true']] as const;

/** The list of identities of the network, the processes of the stack, or a single identity. */
export function NetworkPage() {
  const { id } = usePlace();
  if (id === undefined) return <IdentityList />;
  if (id === stackView) return <StackPage views={<NetworkViews />} />;
  return (
    <Alone title="Identity">
      <IdentityRecord key={id} id={id} />
    </Alone>
  );
}

/** The navigation between the parts of the page, if this node is part of a local stack. */
function NetworkViews() {
  const { config } = useExplorer();
  const views = [
    { id: undefined, title: 'Identities' },
    { id: stackView, title: 'Processes' },
  ];
  return config.joins ? <Views label="Parts of the network" of={views} /> : null;
}

function IdentityList() {
  const names = useOrganizationNames();
  const status = useRead('status', [], (client, signal) => client.getStatus({ signal }));
  return (
    <Browse
      title="Network"
      label="identities"
      collection="identities"
      subject="identities"
      list="listIdentities"
      fixed={withKeys}
      keyOf={({ id }) => id}
      columns={columnsWith(names)}
      example="type=org"
      record={(id) => <IdentityRecord id={id} />}
      recordTitle="Identity"
      actions={<CreateIdentity />}
      empty={
        <Empty
          sentence="No identities yet. Organisations appear when they are registered on the chain."
          command="stack status"
        />
      }
    >
      <NetworkViews />
      {status.error !== null && status.data === undefined && (
        <Failure error={status.error} onRetry={() => void status.refetch()} />
      )}
      {status.data !== undefined && <ThisNode status={status.data.value} />}
    </Browse>
  );
}

function CreateIdentity() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Create identity
      </button>
      <ActionDialog title="Create an identity" isOpen={isOpen} onClose={() => setOpen(false)}>
        <IdentityForm onClose={() => setOpen(false)} />
      </ActionDialog>
    </>
  );
}

function useOrganizationNames(): ReadonlyMap<string, string> {
  const orgs = useRead('identities', ['orgs'], (client, signal) =>
    readPage(client, 'listOrganizations', [['limit', '200']], signal),
  );
  return new Map(orgs.data?.entries.map(({ value }) => [value.id, value.name]));
}

function columnsWith(organizations: ReadonlyMap<string, string>): readonly Column<Identity>[] {
  return [
    {
      name: 'name',
      title: 'Name',
      width: 176,
      sort: { field: 'name', keyOf: ({ name }) => name },
      render: ({ name }) => <Text value={name} />,
    },
    {
      name: 'type',
      title: 'Type',
      width: 80,
      sort: { field: 'type', keyOf: ({ type }) => type },
      render: ({ type }) => type,
    },
    {
      name: 'parent',
      title: 'Parent',
      width: 136,
      from: 560,
      render: ({ parent }) => (
        <Text value={parent === undefined ? '' : (organizations.get(parent) ?? parent.slice(0, 8))} />
      ),
    },
    {
      name: 'did',
      title: 'DID',
      from: 640,
      sort: { field: 'did', keyOf: ({ did }) => did },
      render: ({ did }) => <Text value={did} />,
    },
    {
      name: 'key',
      title: 'Key',
      width: 112,
      from: 760,
      render: ({ verifiers = [] }) =>
        verifiers.map(({ value }) => (
          <code key={value} title={value}>
            {value.slice(0, value.startsWith('0x') ? 10 : 8)}{' '}
          </code>
        )),
    },
    {
      name: 'age',
      title: 'Age',
      width: 96,
      isNumber: true,
      from: 400,
      sort: { field: 'created', keyOf: ({ created }) => created },
      render: ({ created }) => <Time iso={created} />,
    },
  ];
}
