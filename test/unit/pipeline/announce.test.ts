import { expect, it } from 'vitest';
import { profileRulesOf } from '../../../src/domain/network/profile.js';
import { createMemoryLedger } from '../../../src/adapters/blockchain/memory/memory.js';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../src/adapters/database/memory/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../src/adapters/random/seeded.js';
import { organizationDid, systemNamespace } from '../../../src/domain/network/identity.js';
import { createAnnouncer } from '../../../src/pipeline/announce.js';
import { applyMembership } from '../../../src/pipeline/receive/member.js';
import { every } from '../../../src/ports/tables/where.js';
import { rowsOf } from '../../support/pipelines-check.js';

const key = `0x${'a'.repeat(40)}`;
const own = { organization: 'alice', did: organizationDid('alice'), key, keys: [key] };
const peer = { publicKeyHash: 'b'.repeat(64), endpoint: 'https://127.0.0.1:16050' };
const elsewhere = { ...peer, endpoint: 'https://127.0.0.1:16150' };

/** Creates the announcer of a node whose registry entry is `registered`, or that the registry does not have. */
async function open(registered: typeof peer | undefined) {
  const clock = createManualClock();
  const random = createSeededRandom(1);
  const ledger = createMemoryLedger({ clock });
  const database = createMemoryDatabase();
  let processed = 0;
  const read = async (): Promise<void> => {
    const logs = ledger
      .logs()
      .flatMap((log) => (log.type === 'member_added' || log.type === 'node_changed' ? [log] : []));
    const parts = { namespaces: [], random, contract: '0xc', profileRules: profileRulesOf(undefined) };
    await database.transaction((unit) => applyMembership(unit, logs, parts));
    processed = logs.at(-1)?.position.block ?? 0;
  };
  const parts = { database, own, clock, random, log: createSilentLog(), blockchain: ledger.connect({ keys: [key] }) };
  const node = { organization: 'alice', key, node: 'alice-node' };
  if (registered !== undefined) ledger.addMember({ ...node, ...registered });
  return {
    read,
    setNode: (place = peer) => ledger.setNode({ organization: 'alice', ...place }),
    restart: () => createAnnouncer({ ...parts, peer, processedBlock: () => processed }),
    step: () => createAnnouncer({ ...parts, peer, processedBlock: () => processed }).step,
    withoutPeer: () => createAnnouncer({ ...parts, processedBlock: () => processed }).step,
    wait: () => clock.advance(5_000),
    /** Ends the newest call; the chain has its entry if it succeeded. */
    async end(status: 'Succeeded' | 'Failed') {
      const [newest] = (await rowsOf(database, 'operations')).slice(-1);
      await database.transaction((unit) =>
        unit.update('operations', { namespace: systemNamespace, id: newest?.id ?? '' }, { status }),
      );
      if (status === 'Succeeded') ledger.setNode({ organization: 'alice', ...peer });
    },
    async calls() {
      const rows = await database.rows('operations', { namespace: every }, { limit: 10 });
      return rows.map(({ type, lane, input }) => ({ type, lane, input }));
    },
  };
}

const expected = { type: 'blockchain_register_identity', lane: `key:${key}`, input: { type: 'set_node', ...peer } };

it('registers the endpoint of the node when the registry has another one', async () => {
  const node = await open(elsewhere);
  await node.read();
  expect(await node.step()()).toEqual({ hasWorked: false, rings: ['operations', 'events'] });
  expect(await node.calls()).toEqual([expected]);
});

it('sends nothing when the registry has the same entry, or does not have this node yet', async () => {
  const known = await open(peer);
  await known.read();
  await known.step()();
  expect(await known.calls()).toEqual([]);
  const unknown = await open(undefined);
  await unknown.step()();
  expect(await unknown.calls()).toEqual([]);
});

it('sends one call, also over a restart while the call is in progress', async () => {
  const node = await open(elsewhere);
  await node.read();
  const step = node.step();
  await step();
  await step();
  await node.step()();
  expect(await node.calls()).toHaveLength(1);
});

it('sends nothing before the node has read the newest block, which may have the right entry', async () => {
  const node = await open(elsewhere);
  await node.read();
  node.setNode();
  const step = node.step();
  await step();
  expect(await node.calls()).toEqual([]);
  await node.read();
  await step();
  expect(await node.calls()).toEqual([]);
});

it('sends nothing for a node that does not listen', async () => {
  const node = await open(elsewhere);
  await node.read();
  await node.withoutPeer()();
  expect(await node.calls()).toEqual([]);
});

const attacked = { endpoint: 'https://127.0.0.1:666', publicKeyHash: 'e'.repeat(64) };

it('corrects the entry each time that another holder of the key changes it, and counts the corrections', async () => {
  const node = await open(elsewhere);
  await node.read();
  const { step, registration } = node.restart();
  await step();
  expect(registration()).toMatchObject({ matches: false, corrections: 0, found: elsewhere });
  await node.end('Succeeded');
  await node.read();
  await step();
  expect(registration()).toMatchObject({ matches: true, corrections: 0 });
  for (const corrections of [1, 2, 3]) {
    await node.wait();
    node.setNode(attacked);
    await node.read();
    await step();
    expect(await node.calls()).toHaveLength(1 + corrections);
    expect(registration()).toMatchObject({ matches: false, corrections, found: attacked });
    await node.end('Succeeded');
    await node.read();
    await step();
    expect(registration()).toMatchObject({ matches: true, corrections });
  }
});

it('corrects an entry that was changed in the blocks in which its own call succeeded', async () => {
  const node = await open(elsewhere);
  await node.read();
  const step = node.step();
  await step();
  await node.end('Succeeded');
  node.setNode(attacked);
  await node.read();
  await node.wait();
  await step();
  expect(await node.calls()).toHaveLength(2);
});

it('does not repeat a call that the chain has refused until the entry changes or the node restarts', async () => {
  const node = await open(elsewhere);
  await node.read();
  const step = node.step();
  await step();
  await node.end('Failed');
  for (let count = 0; count < 3; count++) {
    await node.wait();
    await step();
  }
  expect(await node.calls()).toHaveLength(1);
  node.setNode(attacked);
  await node.read();
  await step();
  expect(await node.calls()).toHaveLength(2);
  await node.end('Failed');
  await node.step()();
  expect(await node.calls()).toHaveLength(3);
});

it('does not correct another node with the same key more than once a second', async () => {
  const node = await open(elsewhere);
  await node.read();
  const step = node.step();
  for (let count = 0; count < 10; count++) {
    await step();
    await node.end('Succeeded');
    node.setNode(attacked);
    await node.read();
  }
  expect(await node.calls()).toHaveLength(1);
});
