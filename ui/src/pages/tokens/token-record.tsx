import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Empty } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Json } from '../../components/text/json.js';
import { KeyAndOwner } from '../../components/record/key-owner.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { PoolLink } from './pool-link.js';
import { usePools } from './pools.js';
import { parseTokenId, type TokenId } from './token-id.js';
import { TransferTable } from './transfer-table.js';

/** A non-fungible token with its owner and its transfers. */
export function TokenRecord({ id }: { readonly id: string }) {
  const token = parseTokenId(id);
  const { pool, index } = token;
  const held = useRead('balances', ['of token', id], async (client, signal) => {
    const where = [
      ['pool', pool],
      ['tokenindex', index],
      ['balance', '>0'],
    ] as const;
    // A pool that does not exist has no balances either.
    await client.getTokenPool({ path: { nameOrId: pool }, signal });
    const { entries } = await readPage(client, 'listTokenBalances', where, signal);
    return entries[0] ?? null;
  });
  if (held.data === undefined) {
    if (held.error === null) return <Skeleton rows={6} />;
    return <Failure error={held.error} what="pool" onRetry={() => void held.refetch()} />;
  }
  const balance = held.data?.value;
  return (
    <article aria-label={`Token ${index}`}>
      <Section title={`Token #${index}`}>
        {balance === undefined && <Empty sentence="This token has no owner: it was burned or never minted." />}
        <Facts
          of={[
            ['Pool', <PoolLink key="pool" id={pool} />],
            ['Owner', balance === undefined ? undefined : <KeyAndOwner value={balance.key} />],
            ['URI', balance?.uri === undefined ? undefined : <Text value={balance.uri} />],
            ['Held since', balance === undefined ? undefined : <Time iso={balance.updated} />],
          ]}
        />
      </Section>
      <TokenTransfers token={token} />
      {held.data !== null && (
        <Section title="As served">
          <Json text={held.data.text} what="the balance" />
        </Section>
      )}
    </article>
  );
}

function TokenTransfers({ token: { pool, index } }: { readonly token: TokenId }) {
  const pools = usePools();
  const transfers = useRead('transfers', ['of token', pool, index], (client, signal) => {
    const where = [
      ['pool', pool],
      ['tokenindex', index],
      ['limit', '100'],
    ] as const;
    return readPage(client, 'listTokenTransfers', where, signal);
  });
  const rows = transfers.data?.entries.map(({ value }) => value) ?? [];
  return (
    <Section title="Transfers">
      {transfers.isPending && <Skeleton rows={2} />}
      {transfers.error !== null && <Failure error={transfers.error} onRetry={() => void transfers.refetch()} />}
      {transfers.data !== undefined && rows.length === 0 && <p className="muted">No transfers.</p>}
      {rows.length > 0 && <TransferTable transfers={rows} pool={pools.get(pool)} />}
    </Section>
  );
}
