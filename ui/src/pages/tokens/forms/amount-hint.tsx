import type { TokenPool } from '../../../../../src/wire/token.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { readPage } from '../../../../../src/client/page.js';
import { useExplorer } from '../../../api/explorer.js';
import { useOwners } from '../../../api/owners.js';
import { useRead } from '../../../api/read.js';
import { heldBy, poolAmount } from '../amounts.js';
import { useHoldings } from '../holdings.js';

/** The amount in the units that people know, and what this party has. */
export function AmountHint({ pool, digits }: { readonly pool: TokenPool | undefined; readonly digits: string }) {
  if (pool === undefined) return 'A whole number of the smallest unit.';
  return <PoolHint pool={pool} digits={digits} />;
}

function PoolHint({ pool, digits }: { readonly pool: TokenPool; readonly digits: string }) {
  const { config } = useExplorer();
  const { holdings } = useHoldings(pool);
  const keys = useOwnKeys();
  const has = holdings === undefined ? '' : ` ${config.party} has ${poolAmount(heldBy(keys, holdings), pool)}.`;
  const unit = pool.symbol ?? pool.name;
  const isShown = (pool.decimals ?? 0) > 0 && /^\d+$/.test(digits);
  const meant = isShown ? ` That is ${poolAmount(digits, pool)} ${unit}.` : '';
  const what = pool.type === 'nonfungible' ? 'At most 250.' : 'A whole number of the smallest unit.';
  return `${what}${meant}${has}`;
}

function useOwnKeys(): readonly string[] {
  const { config } = useExplorer();
  return useOwners().organizations.find(({ name }) => name === config.party)?.keys ?? [];
}

interface TokenProps {
  readonly pool: TokenPool;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

const suggested = '50';
const named = 8;

function ownText(indexes: readonly string[]): string {
  if (indexes.length === 0) return '';
  const more = indexes.length > named ? ', …' : '';
  return ` Your own: ${indexes.slice(0, named).join(', ')}${more}.`;
}

/** One token of a pool by its index; those of this party are suggested. */
export function TokenField({ pool, ...field }: TokenProps) {
  const keys = useOwnKeys();
  const own = useRead(
    'balances',
    ['own tokens', pool.id, keys],
    (client, signal) => {
      const where = [
        ['pool', pool.id],
        ['balance', '>0'],
        ['limit', suggested],
        ...keys.map((key) => ['key', key] as const),
      ] as const;
      return readPage(client, 'listTokenBalances', where, signal);
    },
    { isEnabled: keys.length > 0 },
  );
  const indexes = own.data?.entries.map(({ value: { tokenIndex = '' } }) => tokenIndex) ?? [];
  return (
    <SuggestField
      label="Token"
      {...field}
      hint={`The index of the token, in digits.${ownText(indexes)}`}
      suggestions={indexes.map((index) => ({ value: index }))}
    />
  );
}
