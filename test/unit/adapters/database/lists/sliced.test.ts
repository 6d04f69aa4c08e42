import { expect, it } from 'vitest';
import { sqliteDialect } from '../../../../../src/adapters/database/dialect/sqlite.js';
import type { SerialReads } from '../../../../../src/adapters/database/lists/limited.js';
import { createLists } from '../../../../../src/adapters/database/lists/sliced.js';
import { createResidentStore } from '../../../../../src/adapters/database/resident/store.js';
import { every } from '../../../../../src/ports/tables/where.js';

const rowCount = 200_000;

interface Costs {
  /** The duration of each statement, whatever it reads. */
  readonly fixedMs: number;
  readonly rowMs: number;
  /** Additional durations of some statements, by position. */
  readonly delaysMs?: Readonly<Record<number, number>>;
}

/** Counts a table with a given cost of each statement; returns the number of rows and the sizes of the slices. */
async function countAt({ fixedMs, rowMs, delaysMs = {} }: Costs) {
  const sizes: number[] = [];
  const slow: SerialReads = {
    async rows({ sql, bindings }) {
      if (sql.includes('min("sequence")')) return { rows: [{ first: 1, last: rowCount }], tookMs: fixedMs };
      const [from, to] = bindings.map(Number);
      const count = (to ?? 0) - (from ?? 0) + 1;
      sizes.push(count);
      return { rows: [{ count }], tookMs: fixedMs + count * rowMs + (delaysMs[sizes.length] ?? 0) };
    },
  };
  const quick: SerialReads = { rows: async () => undefined };
  const lists = createLists({ dialect: sqliteDialect, resident: createResidentStore({}).committed, quick, slow });
  return { count: await lists.count('messages', { namespace: every, where: [] }), sizes };
}

it.each([0, 10, 24, 30, 100, 200])('a fixed cost of %i ms does not make slices smaller', async (fixedMs) => {
  const { count, sizes } = await countAt({ fixedMs, rowMs: 0.017 });
  expect(count).toBe(rowCount);
  // The rows of a slice of usual size take 25 ms.
  expect(sizes.length).toBeLessThan(1.2 * ((rowCount * 0.017) / 25));
  expect(Math.max(...sizes) * 0.017).toBeLessThanOrEqual(50);
});

it.each([0, 30])('slices with costly rows become small, with a fixed cost of %i ms', async (fixedMs) => {
  const { count, sizes } = await countAt({ fixedMs, rowMs: 0.1 });
  expect(count).toBe(rowCount);
  const [, , , , ...later] = sizes;
  expect(Math.max(...later) * 0.1).toBeLessThanOrEqual(50);
});

it('one delay halves only the next slice', async () => {
  const costs = { fixedMs: 1, rowMs: 0.017 };
  const { sizes: undisturbed } = await countAt(costs);
  const { count, sizes } = await countAt({ ...costs, delaysMs: { 20: 5_000 } });
  expect(count).toBe(rowCount);
  expect(sizes.length).toBeLessThanOrEqual(undisturbed.length + 3);
});
