import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { createArmedFailpoint } from '../../../../../src/adapters/failpoint/armed.js';
import { createSilentMetrics } from '../../../../../src/adapters/metrics/silent.js';
import { systemNamespace } from '../../../../../src/domain/network/identity.js';
import { createChainCalls } from '../../../../../src/pipeline/dispatch/chain/chain-call.js';
import { createRegisterIdentity } from '../../../../../src/pipeline/dispatch/chain/register.js';
import { every } from '../../../../../src/ports/tables/where.js';
import { newRegistryOperation, type RegistryCall } from '../../../../../src/pipeline/operations/registry-operation.js';

const key = `0x${'a'.repeat(40)}`;
const publicKeyHash = 'b'.repeat(64);

/** Creates a member whose calls of the registry run one after the other. */
async function open() {
  const ledger = createMemoryLedger({ clock: createManualClock() });
  ledger.addMember({ organization: 'alice', key, node: 'alice-node', endpoint: '', publicKeyHash });
  const blockchain = ledger.connect({ keys: [key] });
  const { genesisHash } = await blockchain.status();
  const database = createMemoryDatabase();
  const cursor = { source: 'network', genesisHash, contract: '', block: 0, blockHash: '' };
  await database.transaction((unit) => unit.insert('cursors', [{ namespace: systemNamespace, ...cursor }]));
  const failpoint = createArmedFailpoint(undefined);
  const { callChain } = createChainCalls({ database, blockchain, metrics: createSilentMetrics(), failpoint });
  const run = createRegisterIdentity({ callChain });
  let count = 0;
  return {
    ledger,
    async call(call: RegistryCall) {
      count += 1;
      const id = `00000000-0000-4000-8000-00000000000${count}`;
      const subject = { namespace: systemNamespace, tx: id, batch: '', batchHash: '', signer: key };
      const created = '2026-01-15T10:00:00.000Z';
      await database.transaction((unit) =>
        unit.insert('operations', [newRegistryOperation({ id, created, subject, call })]),
      );
      const operation = (await database.rows('operations', { namespace: every }, { limit: 10 })).find(
        (row) => row.id === id,
      );
      if (operation === undefined) throw new Error('The operation is missing.');
      return run(operation, new AbortController().signal);
    },
  };
}

it('changes the endpoint and the key of the member’s node', async () => {
  const { ledger, call } = await open();
  const place = { endpoint: 'https://127.0.0.1:1', publicKeyHash: 'c'.repeat(64) };
  expect(await call({ type: 'set_node', ...place })).toMatchObject({ status: 'done' });
  expect(ledger.logs().at(-1)).toMatchObject({ type: 'node_changed', organization: 'alice', ...place });
});

it('adds keys', async () => {
  const { ledger, call } = await open();
  const keys = [`0x${'d'.repeat(40)}`, `0x${'e'.repeat(40)}`];
  for (const [index, each] of keys.entries()) {
    expect(await call({ type: 'add_key', name: `shop${index}`, key: each })).toMatchObject({ status: 'done' });
  }
  expect(ledger.logs().slice(-2)).toMatchObject(keys.map((each) => ({ type: 'key_added', key: each })));
});

it('fails permanently with the reason of the contract', async () => {
  const { call } = await open();
  const outcome = await call({ type: 'add_key', name: 'alice', key: `0x${'d'.repeat(40)}` });
  expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('NameTaken') as string });
});
