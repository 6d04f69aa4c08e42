import { readPage } from '../../../../src/client/page.js';
import { useRead } from '../../api/read.js';
import { Command } from '../../components/page/empty.js';
import { Failure } from '../../components/page/failure.js';
import { Section } from '../../components/page/section.js';
import { SmallTable } from '../../components/table/small-table.js';
import { Text } from '../../components/text/text.js';
import { sumOf } from '../../components/text/amount.js';
import { PoolAmount } from '../tokens/pool-amount.js';
import styles from './overview.module.css';

const maxBalances = 1_000;

export function Supply() {
  const pools = useRead('pools', ['supply'], async (client, signal) => {
    const { entries } = await readPage(client, 'listTokenPools', [['limit', '20']], signal);
    const found = entries.map(async ({ value }) => {
      const where = [
        ['pool', value.id],
        ['limit', String(maxBalances)],
      ] as const;
      const balances = await readPage(client, 'listTokenBalances', where, signal);
      const amounts = balances.entries.map((each) => each.value.balance);
      return { pool: value, total: sumOf(amounts), isComplete: amounts.length < maxBalances };
    });
    return Promise.all(found);
  });
  return (
    <Section title="Token supply">
      {pools.error !== null && <Failure error={pools.error} onRetry={() => void pools.refetch()} />}
      {pools.data?.length === 0 && (
        <div className={styles.commands}>
          <p className="muted">No token pools yet.</p>
          <Command text="stack pool create coins --type fungible" />
        </div>
      )}
      {pools.data !== undefined && pools.data.length > 0 && (
        <SmallTable
          label="Token supply"
          rows={pools.data}
          keyOf={({ pool }) => pool.id}
          columns={[
            { title: 'Pool', render: ({ pool }) => <Text value={pool.name} /> },
            { title: 'Type', isWhole: true, render: ({ pool }) => pool.type },
            {
              title: 'Supply',
              isNumber: true,
              render: ({ pool, total, isComplete }) => (
                <>
                  {!isComplete && 'at least '}
                  <PoolAmount digits={total} pool={pool} isShort />
                </>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}
