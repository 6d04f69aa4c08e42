import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createErc1155 } from '../../../../../src/adapters/token-connector/erc1155.js';
import { assert } from '../../../../../src/domain/invariant.js';
import { refusalOfPool } from '../../../../../src/pipeline/receive/tokens/pool-creation.js';
import { alice, uuid } from '../../../../support/fixtures.js';
import { contractAddress, transferLogs } from '../../../../support/token-logs.js';
import { locatorOf } from '../../../../support/token-rows.js';

const [registeredIn, createdIn] = [5, 3];

/** Judges a pool that alice's key has created, defined at a place in this block; resolves with the refusal. */
async function refusalIn(block: number, { created = createdIn } = {}): Promise<string | undefined> {
  const [database, clock] = [createMemoryDatabase(), createManualClock()];
  const namespace = 'svc_system';
  const names = { id: uuid(8), did: alice.did, type: 'org', parent: null, name: 'alice' } as const;
  const times = { created: clock.now(), updated: null, endpoint: null, publicKeyHash: null };
  await database.transaction(async (unit) => {
    await unit.insert('identities', [{ namespace, ...names, ...times, block: registeredIn }]);
    await unit.insert('keys', [{ namespace, key: alice.key, identity: alice.did, created: times.created }]);
  });
  const pool = { connector: 'erc1155', locator: locatorOf(1, 'fungible', created), key: alice.key };
  const erc1155 = createErc1155({ address: contractAddress, firstBlock: 0 });
  const readCreation = () => ({ locator: pool.locator, creator: alice.key });
  const connectors = new Map([[erc1155.name, { ...erc1155, readCreation }]]);
  const chain = createMemoryLedger({ clock }).connect({ keys: [] });
  const logs = transferLogs({ block: created, operator: alice.key }, { to: alice.key, id: 1n, value: 1n });
  const blockchain = { ...chain, readLogs: () => Promise.resolve(logs) };
  const located = erc1155.locate(pool.locator);
  assert(located !== undefined, 'the connector reads its own locator');
  return refusalOfPool({ database, blockchain, connectors }, pool, located, { author: alice.did, block });
}

it('a pool is refused unless it is created in a block before that of its definition', async () => {
  expect(await refusalIn(9, { created: 9 })).toMatch(/^FF10409/);
  expect(await refusalIn(9, { created: 8 })).toBeUndefined();
});

it('a pool is refused in a block before that in which its creator is registered, and not in the same one', async () => {
  expect(await refusalIn(registeredIn - 1)).toMatch(/^FF10409/);
  expect(await refusalIn(registeredIn)).toBeUndefined();
});
