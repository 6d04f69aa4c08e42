import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createErc1155 } from '../../../../src/adapters/token-connector/erc1155.js';
import { operationData } from '../../../../src/domain/tokens/request.js';
import { createKnownPools } from '../../../../src/pipeline/aggregate/define/tokens/known-pools.js';
import { findMissingOperation } from '../../../../src/pipeline/aggregate/operations.js';
import { writeAll } from '../../../../src/pipeline/receive/chain/applier.js';
import { createTokenApplier } from '../../../../src/pipeline/receive/tokens/token.js';
import { newMessage } from '../../../../src/pipeline/state/messages/message-row.js';
import { alice, aMessage, uuid } from '../../../support/fixtures.js';
import { aBatchRow, aPinRow } from '../../../support/batch-rows.js';
import { contractAddress, tokenId, transferLogs } from '../../../support/token-logs.js';
import { aPool } from '../../../support/token-rows.js';

const transferredIn = 5;

/** Judges a message of a transfer, with its pin in this block; resolves with the refusal. */
async function refusalIn(block: number): Promise<string | undefined> {
  const sealed = aMessage({ txparent: { type: 'token_transfer', id: uuid(77) } }, []);
  const message = { ...newMessage(sealed, { items: new Map(), state: 'ready', pins: [] }), sequence: 1 };
  const erc1155 = createErc1155({ address: contractAddress, firstBlock: 0 });
  const connectors = new Map([[erc1155.name, erc1155]]);
  const tokens = createTokenApplier({ connectors, clock: createManualClock(), random: createSeededRandom(1) });
  const data = operationData({ id: uuid(77), type: 'token_transfer' }, { id: sealed.header.id, hash: sealed.hash });
  const step = { block: transferredIn, operator: alice.key, data };
  const logs = transferLogs(step, { to: alice.key, id: tokenId(1, 'fungible'), value: 1n });
  return createMemoryDatabase().transaction(async (unit) => {
    await unit.insert('pools', [aPool(1, 'fungible', { pin: 3 })]);
    await writeAll(unit, tokens.writesFor(logs));
    const pin = { ...aPinRow(aBatchRow(1), 'a'.repeat(64), 0, block), sequence: 7 };
    return findMissingOperation({ unit, pools: createKnownPools(unit) }, message, pin);
  });
}

it('a message of a transfer is refused unless the transfer is in a block before that of its pin', async () => {
  expect(await refusalIn(transferredIn)).toMatch(/^PY1901/);
  expect(await refusalIn(transferredIn + 1)).toBeUndefined();
});
