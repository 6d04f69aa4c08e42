import type { ReactNode } from 'react';
import type { TokenPool } from '../../../../src/wire/token.js';
import { useExplorer } from '../../api/explorer.js';
import { type Owner, useOwners } from '../../api/owners.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { heldBy } from './amounts.js';
import { useHoldings } from './holdings.js';
import { PoolAmount } from './pool-amount.js';
import { PoolRecord } from './pool-record.js';
import { PoolState } from './pool-state.js';
import { TokenActions } from './forms/token-actions.js';

const keyOf = ({ id }: TokenPool) => id;

/** The list of pools, with the balances of each organisation. */
export function PoolsView({ children }: { readonly children: ReactNode }) {
  const { config } = useExplorer();
  const { organizations } = useOwners();
  return (
    <Browse
      title="Tokens"
      label="pools"
      collection="pools"
      subject="pools"
      list="listTokenPools"
      keyOf={keyOf}
      columns={columnsWith(organizations, config.party)}
      flashOf={({ active, published }) => `${active} ${published}`}
      example="name=^coin"
      record={(id) => <PoolRecord id={id} />}
      recordTitle="Pool"
      view="pools"
      actions={<TokenActions />}
      empty={
        <Empty
          sentence="No token pools yet. Tokens are minted and transferred in a pool."
          command="stack pool create coins --type fungible"
        >
          <TokenActions only={['pool']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}

/** Wide enough for the longest short amount, also with larger text. */
const amountWidth = 136;

/** The columns, with one for each organisation, this party's first. A narrow table leaves out the last ones. */
function columnsWith(organizations: readonly Owner[], party: string): readonly Column<TokenPool>[] {
  const ownFirst = [...organizations].sort((a, b) => Number(b.name === party) - Number(a.name === party));
  return [
    { name: 'name', title: 'Pool', render: ({ name }) => <Text value={name} /> },
    { name: 'state', title: 'State', width: 96, from: 900, render: (pool) => <PoolState pool={pool} /> },
    { name: 'type', title: 'Type', width: 104, from: 720, render: ({ type }) => type },
    { name: 'symbol', title: 'Symbol', width: 88, from: 980, render: ({ symbol }) => <Text value={symbol ?? ''} /> },
    ...ownFirst.map(({ id, name, keys }, index): Column<TokenPool> => ({
      name: id,
      title: name,
      width: amountWidth,
      isNumber: true,
      from: 240 + index * amountWidth,
      render: (pool) => <Balance pool={pool} keys={keys} />,
    })),
    {
      name: 'supply',
      title: 'Supply',
      width: amountWidth,
      isNumber: true,
      from: 480,
      render: (pool) => <Supply pool={pool} />,
    },
    {
      name: 'age',
      title: 'Age',
      width: 96,
      isNumber: true,
      from: 1_080,
      render: ({ created }) => <Time iso={created} />,
    },
  ];
}

function Balance({ pool, keys }: { readonly pool: TokenPool; readonly keys: readonly string[] }) {
  const { holdings } = useHoldings(pool);
  if (holdings === undefined) return null;
  return <PoolAmount digits={heldBy(keys, holdings)} pool={pool} isShort />;
}

function Supply({ pool }: { readonly pool: TokenPool }) {
  const { holdings } = useHoldings(pool);
  if (holdings === undefined) return null;
  return (
    <>
      {holdings.isPartial && '≥ '}
      <PoolAmount digits={holdings.supply} pool={pool} isShort />
    </>
  );
}
