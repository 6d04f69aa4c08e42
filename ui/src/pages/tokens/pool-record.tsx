import { readPage } from '../../../../src/client/page.js';
import type { TokenPool } from '../../../../src/wire/token.js';
import { isMissing } from '../../api/missing.js';
import { useRead } from '../../api/read.js';
import { Failure } from '../../components/page/failure.js';
import { Id } from '../../components/record/id.js';
import { Json } from '../../components/text/json.js';
import { KeyAndOwner, KeyOwner } from '../../components/record/key-owner.js';
import { Link } from '../../components/link.js';
import { Facts, Section } from '../../components/page/section.js';
import { Skeleton } from '../../components/page/skeleton.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Text } from '../../components/text/text.js';
import { Time } from '../../components/text/time.js';
import { useHoldings } from './holdings.js';
import { PoolActions } from './forms/pool-actions.js';
import { PoolAmount } from './pool-amount.js';
import { PoolState } from './pool-state.js';
import { TransferTable } from './transfer-table.js';

const shownHolders = 50;

/** A pool with its holders and newest transfers. */
export function PoolRecord({ id }: { readonly id: string }) {
  // The subject is the collection, since no event names a pool that is published or deleted.
  const pool = useRead('pools', ['one', id], (client, signal) =>
    client.getTokenPool({ path: { nameOrId: id }, signal }),
  );
  if (pool.data === undefined || isMissing(pool.error)) {
    if (pool.error === null) return <Skeleton rows={8} />;
    const retry = () => void pool.refetch();
    return <Failure error={pool.error} what="pool" onRetry={retry} />;
  }
  const { value, text } = pool.data;
  return (
    <article aria-label={`Pool ${id}`}>
      <About pool={value} />
      <PoolActions pool={value} />
      <Holders pool={value} />
      <Newest pool={value} />
      <Section title="As served">
        <Json text={text} what="the pool" />
      </Section>
    </article>
  );
}

function About({ pool }: { readonly pool: TokenPool }) {
  const { id, name, networkName, type, symbol, decimals, standard, connector, locator, key, message, created } = pool;
  return (
    <Section title={name} actions={<PoolState pool={pool} />}>
      <Facts
        of={[
          ['Id', <Id key="id" id={id} what="the id of the pool" isWhole />],
          ['Type', type],
          ['Symbol', symbol === undefined ? undefined : <Text value={symbol} />],
          ['Decimals', decimals],
          ['Visible to', pool.published ? 'all parties' : 'this node only'],
          [
            'Network name',
            networkName === undefined || networkName === name ? undefined : <Text value={networkName} />,
          ],
          ['Connector', <Text key="connector" value={connector} />],
          ['Standard', standard === undefined ? undefined : <Text value={standard} />],
          ['Locator', locator === undefined ? undefined : <Text value={locator} />],
          ['Key', key === undefined ? undefined : <KeyAndOwner value={key} />],
          ['Created', <Time key="created" iso={created} />],
          ['Definition', message === undefined ? undefined : <Id id={message} what="the message that defines it" />],
        ]}
      />
    </Section>
  );
}

function Holders({ pool }: { readonly pool: TokenPool }) {
  const { holdings, error, retry } = useHoldings(pool);
  const holders = [...(holdings?.holders ?? [])];
  const title = holdings === undefined ? 'Holders' : `Holders · ${holdings.isPartial ? '≥ ' : ''}${holders.length}`;
  return (
    <Section title={title}>
      {error !== undefined && <Failure error={error} onRetry={retry} />}
      {holdings === undefined && error === undefined && <Skeleton rows={3} />}
      {holdings !== undefined && holders.length === 0 && <p className="muted">No holders.</p>}
      {holders.length > 0 && (
        <SmallTable
          label="Holders"
          rows={holders.slice(0, shownHolders)}
          keyOf={([key]) => key}
          columns={[
            { title: 'Holder', render: ([key]) => <KeyOwner value={key} /> },
            { title: 'Balance', isNumber: true, render: ([, digits]) => <PoolAmount digits={digits} pool={pool} /> },
          ]}
        />
      )}
      {holders.length > shownHolders && <p className="muted">The {shownHolders} largest are shown.</p>}
    </Section>
  );
}

function Newest({ pool }: { readonly pool: TokenPool }) {
  const where = [
    ['pool', pool.id],
    ['limit', '10'],
  ] as const;
  const transfers = useRead('transfers', ['of pool', pool.id], (client, signal) =>
    readPage(client, 'listTokenTransfers', where, signal),
  );
  const rows = transfers.data?.entries.map(({ value }) => value) ?? [];
  const all = { page: 'tokens', id: 'transfers', open: undefined, filters: [`pool=${pool.id}`] };
  return (
    <Section title="Newest transfers" actions={<Link to={all}>All transfers</Link>}>
      {transfers.isPending && <Skeleton rows={3} />}
      {transfers.error !== null && <Failure error={transfers.error} onRetry={() => void transfers.refetch()} />}
      {transfers.data !== undefined && rows.length === 0 && <p className="muted">No transfers yet.</p>}
      {rows.length > 0 && <TransferTable transfers={rows} pool={pool} />}
    </Section>
  );
}
