import { expect, it } from 'vitest';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../../src/adapters/random/seeded.js';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { operationData } from '../../../../../src/domain/tokens/request.js';
import { writeAll } from '../../../../../src/pipeline/receive/chain/applier.js';
import { createTokenApplier } from '../../../../../src/pipeline/receive/tokens/token.js';
import { alice, uuid } from '../../../../support/fixtures.js';
import { rowsOf } from '../../../../support/pipelines-check.js';
import { contractAddress, tokenId, transferLogs } from '../../../../support/token-logs.js';
import { aPool, locatorOf } from '../../../../support/token-rows.js';

it('names the messages of transfers from the first block of the pool on, and of none before', async () => {
  const pool = { ...aPool(1, 'fungible', { locator: locatorOf(1, 'fungible', 5) }), sequence: 1 };
  const erc1155 = createErc1155({ address: contractAddress, firstBlock: 0 });
  const [clock, random] = [createManualClock(), createSeededRandom(1)];
  const tokens = createTokenApplier({ connectors: new Map([[erc1155.name, erc1155]]), clock, random });
  const data = operationData({ id: uuid(3), type: 'token_transfer' }, { id: uuid(6), hash: 'e'.repeat(64) });
  const logs = [4, 5].flatMap((block) =>
    transferLogs({ block, operator: alice.key, data }, { to: alice.key, id: tokenId(1, 'fungible'), value: 1n }),
  );
  const database = createMemoryDatabase();
  await database.transaction((unit) => writeAll(unit, tokens.writesForHistory(pool, logs)));
  expect((await rowsOf(database, 'transfers')).map(({ message }) => message)).toEqual([null, uuid(6)]);
});
