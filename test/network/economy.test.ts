import { expect, it } from 'vitest';
import { about, type Party, usePipelines } from '../support/pipelines.js';

const start = usePipelines();

function costOf(party: Party): readonly [statements: number, commits: number] {
  return [party.counted('parley_database_statements_total'), party.counted('parley_database_commits_total')];
}

/** Measures the database operations that some work costs a party. */
async function costOfWork(party: Party, work: () => Promise<unknown>) {
  const before = costOf(party);
  await work();
  const after = costOf(party);
  return { statements: after[0] - before[0], commits: after[1] - before[1] };
}

it('a lone broadcast costs its sender and each receiver few statements and commits', async () => {
  const network = await start({ database: 'SQLite', organizations: ['alice', 'bob'] });
  const [alice, bob] = [network.party('alice'), network.party('bob')];
  const send = async (number: number): Promise<void> => {
    await alice.broadcast(about(['orders'], { number }));
    await network.settle();
  };
  // After this everything is compiled, and facts that are read once in a life are read.
  for (let number = 0; number < 3; number++) await send(number);
  let atReceiver = { statements: 0, commits: 0 };
  const atSender = await costOfWork(alice, async () => {
    atReceiver = await costOfWork(bob, () => send(3));
  });
  // The accepted message in its sealed batch; its upload with the signed pin; its event with the decision.
  expect(atSender.commits).toBeLessThanOrEqual(3);
  expect(atSender.statements).toBeLessThanOrEqual(5);
  // The pin; the payload with the decision. Rows that only the file may have are looked up once.
  expect(atReceiver.commits).toBeLessThanOrEqual(2);
  expect(atReceiver.statements).toBeLessThanOrEqual(5);
});
