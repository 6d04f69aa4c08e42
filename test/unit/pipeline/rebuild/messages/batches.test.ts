import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../../../src/adapters/log/silent.js';
import { undoBatches } from '../../../../../src/pipeline/rebuild/messages/batches.js';
import { aBatch, anOperation, aPin } from '../../../../compliance/database/rows.js';
import { alice } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';

it('a batch that is taken back leaves the download of another one with its id', async () => {
  const database = createMemoryDatabase();
  const blockchain = createMemoryLedger({ clock: createManualClock() }).connect({ keys: [alice.key] });
  await database.transaction(async (unit) => {
    for (const [signer, block] of [
      ['0x1', 3],
      ['0x2', 7],
    ] as const) {
      const batch = aBatch({ signer, state: 'wanted' });
      const name = { batch: batch.id, batchHash: batch.hash, signer };
      await unit.insert('batches', [batch]);
      await unit.insert('pins', [aPin({ ...name, block, spent: false })]);
      await unit.insert('operations', [anOperation({ ...name, id: signer, type: 'sharedstorage_download_batch' })]);
    }
  });
  const others = { log: createSilentLog(), failpoint: { reach: () => Promise.resolve() }, firstBlock: 0 };
  await undoBatches({ database, blockchain, ...others, after: 5, afterUnit: () => Promise.resolve() });
  expect((await rowsOf(database, 'batches')).map(({ signer }) => signer)).toEqual(['0x1']);
  expect((await rowsOf(database, 'operations')).map(({ id }) => id)).toEqual(['0x1']);
});
