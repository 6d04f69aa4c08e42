import type { TokenPool } from '../../../../../src/wire/token.js';
import { SuggestField } from '../../../actions/suggest-field.js';
import { readPage } from '../../../../../src/client/page.js';
import { useExplorer } from '../../../api/explorer.js';
import { useOwners } from '../../../api/owners.js';
import { useRead } from '../../../api/read.js';
import { heldBy, poolAmount } from '../amounts.js';
import { useHoldings } from '../holdings.js';

/** A hint with the amount in whole tokens, and the balance of this party. */
export function AmountHint({ pool, digits }: { readonly pool: TokenPool | undefined; readonly digits: string }) {
  if (pool === undefined) return 'A whole number, in the smallest unit.';
  return <PoolHint pool={pool} digits={digits} />;
}

function PoolHint({ pool, digits }: { readonly pool: TokenPool; readonly digits: string }) {
  const { holdings } = useHoldings(pool);
  const keys = useOwnKeys();
  const balance = holdings === undefined ? '' : ` Balance: ${poolAmount(heldBy(keys, holdings), pool)}.`;
  const unit = pool.symbol ?? pool.name;
  const isShown = (pool.decimals ?? 0) > 0 && /^\d+$/.test(digits);
  const inTokens = isShown ? ` Equals ${poolAmount(digits, pool)} ${unit}.` : '';
  const rule = pool.type === 'nonfungible' ? 'At most 250.' : 'A whole number, in the smallest unit.';
  return `${rule}${inTokens}${balance}`;
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
  return ` Yours: ${indexes.slice(0, named).join(', ')}${more}.`;
}

/** A field for the index of a token, with the tokens of this party as suggestions. */
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
      hint={`The index of the token.${ownText(indexes)}`}
      suggestions={indexes.map((index) => ({ value: index }))}
    />
  );
}
