import type { ReactNode } from 'react';
import type { ContractApi } from '../../../../src/wire/contracts/contract.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { ApiRecord } from './api-record.js';
import { ContractActions } from './forms/contract-actions.js';
import { InterfaceName } from './interface-name.js';
import { Location } from './location.js';
import { Published } from './published.js';

const keyOf = ({ name }: ContractApi) => name;

const example =
  `stack api POST apis -d '{"name":"escrow","interface":{"name":"escrow","version":"1.0"},` +
  `"location":{"address":"0x…"}}'`;

const columns: readonly Column<ContractApi>[] = [
  { name: 'name', title: 'API', render: ({ name }) => <Text value={name} /> },
  {
    name: 'interface',
    title: 'Interface',
    width: 176,
    from: 480,
    render: (api) => <InterfaceName id={api.interface.id} />,
  },
  { name: 'location', title: 'Address', width: 144, render: ({ location }) => <Location of={location} /> },
  {
    name: 'published',
    title: 'Visible to',
    width: 144,
    from: 640,
    render: ({ published }) => <Published isPublished={published} />,
  },
];

export function ApisView({ children }: { readonly children: ReactNode }) {
  return (
    <Browse
      title="Contracts"
      label="contract APIs"
      collection="apis"
      subject="apis"
      list="listContractApis"
      time={null}
      keyOf={keyOf}
      columns={columns}
      flashOf={({ published }) => String(published)}
      example="name=^escrow"
      record={(name) => <ApiRecord name={name} />}
      recordTitle="Contract API"
      view="apis"
      actions={<ContractActions />}
      empty={
        <Empty
          sentence="No contract APIs yet. An API gives a contract a name, and a form for each of its methods."
          command={example}
        >
          <ContractActions only={['api']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}
