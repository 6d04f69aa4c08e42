import { expect, it } from 'vitest';
import { createGroupCommit } from '../../../../../src/adapters/database/units/commit.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import type { Ending, Session } from '../../../../../src/adapters/database/units/session.js';
import type { Unit } from '../../../../../src/ports/database.js';

/** A group commit, and the names of the units in each of its commits. */
function aCommit() {
  const commits: string[][] = [];
  let units: string[] = [];
  const unused = createMemoryDatabase();
  const session: Session = {
    run: (unit) =>
      unused.transaction(async (database): Promise<Ending> => {
        const value = await unit(database);
        units.push(String(value));
        return { kind: 'done', value };
      }),
    commit: async () => {
      commits.push(units);
      units = [];
      return 1;
    },
    ready: () => Promise.resolve(),
    rollback: () => Promise.resolve(),
  };
  const failpoint = { reach: () => Promise.resolve() };
  const metrics = { count: () => undefined, set: () => undefined, observe: () => undefined };
  const group = createGroupCommit({ session, failpoint, metrics });
  const named = (name: string) => (_unit: Unit) => Promise.resolve(name);
  return { commits, group, named };
}

it('a small unit overtakes waiting bulk ones, and shares no commit with them', async () => {
  const { commits, group, named } = aCommit();
  const bulk = ['bulk 1', 'bulk 2', 'bulk 3'].map((name) => group.transaction(named(name), { isBulk: true }));
  const small = ['small 1', 'small 2'].map((name) => group.transaction(named(name)));
  await Promise.all([...bulk, ...small]);
  expect(commits).toEqual([['small 1', 'small 2'], ['bulk 1'], ['bulk 2'], ['bulk 3']]);
});

it('bulk units get every other commit, however many small ones arrive', async () => {
  const { commits, group, named } = aCommit();
  const again = async (left: number): Promise<void> => {
    if (left > 0) await group.transaction(named('small')).then(() => again(left - 1));
  };
  const bulk = ['bulk 1', 'bulk 2'].map((name) => group.transaction(named(name), { isBulk: true }));
  await Promise.all([again(4), ...bulk]);
  const order = commits.map(([name]) => name);
  expect(order.indexOf('bulk 2')).toBeLessThanOrEqual(4);
});
