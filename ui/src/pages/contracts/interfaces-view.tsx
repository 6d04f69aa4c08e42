import type { ReactNode } from 'react';
import type { ContractInterface } from '../../../../src/wire/contracts/contract.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { ContractActions } from './forms/contract-actions.js';
import { InterfaceRecord } from './interface-record.js';
import { Published } from './published.js';

const keyOf = ({ id = '' }: ContractInterface) => id;

const columns: readonly Column<ContractInterface>[] = [
  { name: 'name', title: 'Interface', render: ({ name }) => <Text value={name} /> },
  { name: 'version', title: 'Version', width: 104, render: ({ version }) => <Text value={version} /> },
  {
    name: 'description',
    title: 'Description',
    from: 640,
    render: ({ description = '' }) => <Text value={description} />,
  },
  {
    name: 'published',
    title: 'Visible to',
    width: 144,
    from: 640,
    render: ({ published }) => <Published isPublished={published} />,
  },
];

export function InterfacesView({ children }: { readonly children: ReactNode }) {
  return (
    <Browse
      title="Contracts"
      label="interfaces"
      collection="interfaces"
      subject="interfaces"
      list="listContractInterfaces"
      time={null}
      keyOf={keyOf}
      columns={columns}
      flashOf={({ published }) => String(published)}
      example="name=^escrow"
      record={(id) => <InterfaceRecord id={id} />}
      recordTitle="Interface"
      view="interfaces"
      actions={<ContractActions />}
      empty={
        <Empty
          sentence="No interfaces yet. An interface describes the methods and events of a contract."
          command="stack chain deploy Escrow.json"
        >
          <ContractActions only={['deploy', 'interface']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}
