import { expect, it } from 'vitest';
import { sha256 } from '../../src/domain/hash.js';
import { databaseKinds } from '../support/database-kinds.js';
import { uuid } from '../support/fixtures.js';
import { forgeItem, mallory, pin, registerMallory } from '../support/mallory.js';
import { about, usePipelines } from '../support/pipelines.js';
import { expectEverywhere, rowsOf } from '../support/pipelines-check.js';

const start = usePipelines();

/** Text that cannot be compressed. */
function longText(): string {
  return Array.from({ length: 200 }, (_, index) => sha256(`${index}`)).join('');
}

// An index of PostgreSQL accepts about 2,700 bytes of text, and no rule of a network limits these labels.
it.each(databaseKinds)('labels of a member that are too long for an index delay nobody on %s', async (database) => {
  const network = await start({ database, organizations: ['alice', 'bob'] });
  await registerMallory(network);
  const blob = { hash: sha256('nowhere'), size: 7, name: longText(), path: longText(), public: longText() };
  await pin(
    network,
    forgeItem({
      number: 1,
      header: { topics: ['named'] },
      value: 1,
      datatype: { name: longText(), version: longText() },
    }),
  );
  await pin(network, forgeItem({ number: 2, header: { topics: ['files'] }, value: 2, blob }));
  const message = await network.party('alice').broadcast(about(['orders'], 'behind them'));
  await network.settle();
  for (const { name } of network.parties) network.expectWaiting(name, [uuid(2)]);
  for (const party of network.parties) {
    const batches = await rowsOf(party.database(), 'batches');
    expect(batches.filter(({ signer }) => signer === mallory.key).map(({ state }) => state)).toEqual(['held', 'held']);
  }
  // The other message waits for its file.
  await expectEverywhere(network, [uuid(1), message.header.id]);
});
