import { type ReactNode, useMemo } from 'react';
import type { TokenBalance, TokenPool } from '../../../../src/wire/token.js';
import { Browse } from '../../components/table/browse.js';
import { Empty } from '../../components/page/empty.js';
import { KeyOwner } from '../../components/record/key-owner.js';
import type { Column } from '../../components/table/columns.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { usePools } from './pools.js';
import { formatTokenId } from './token-id.js';
import { ShortTokenIndex } from './token-link.js';
import { TokenRecord } from './token-record.js';
import { TokenActions } from './forms/token-actions.js';

const keyOf = ({ pool, tokenIndex = '' }: TokenBalance) => formatTokenId({ pool, index: tokenIndex });
/** Selects tokens that have an index and an owner. */
const fixed = [
  ['tokenindex', '!'],
  ['balance', '>0'],
  ['sort', '-updated'],
] as const;

export function NonFungibleView({ children }: { readonly children: ReactNode }) {
  const pools = usePools();
  const columns = useMemo(() => columnsWith(pools), [pools]);
  return (
    <Browse
      title="Tokens"
      label="tokens"
      collection="balances"
      subject="balances"
      list="listTokenBalances"
      fixed={fixed}
      time="updated"
      keyOf={keyOf}
      columns={columns}
      flashOf={({ key }) => key}
      example="pool=deeds"
      record={(id) => <TokenRecord id={id} />}
      recordTitle="Token"
      view="nonfungible"
      actions={<TokenActions />}
      empty={
        <Empty
          sentence="No non-fungible tokens yet. Each has an index and one owner."
          command="stack pool create deeds --type nonfungible && stack mint 1 --pool deeds"
        >
          <TokenActions only={['pool', 'mint']} />
        </Empty>
      }
    >
      {children}
    </Browse>
  );
}

function columnsWith(pools: ReadonlyMap<string, TokenPool>): readonly Column<TokenBalance>[] {
  return [
    {
      name: 'index',
      title: 'Token',
      width: 136,
      render: ({ tokenIndex = '' }) => <ShortTokenIndex index={tokenIndex} />,
    },
    {
      name: 'pool',
      title: 'Pool',
      render: ({ pool }) => <Text value={pools.get(pool)?.name ?? pool.slice(0, 8)} />,
    },
    { name: 'owner', title: 'Owner', width: 120, render: ({ key }) => <KeyOwner value={key} /> },
    { name: 'uri', title: 'URI', from: 640, render: ({ uri = '' }) => <Text value={uri} /> },
    {
      name: 'age',
      title: 'Held since',
      width: 104,
      isNumber: true,
      from: 480,
      sort: { field: 'updated', keyOf: ({ updated }) => updated },
      render: ({ updated }) => <Time iso={updated} />,
    },
  ];
}
