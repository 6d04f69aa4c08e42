import { expect, it } from 'vitest';
import { createMemoryLedger } from '../../../src/adapters/blockchain/memory.js';
import { createManualClock } from '../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../src/adapters/database/memory.js';
import { createSilentLog } from '../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../src/adapters/random/seeded.js';
import { organizationDid } from '../../../src/domain/identity.js';
import { createAnnounceStep } from '../../../src/pipeline/announce.js';
import { applyMembership } from '../../../src/pipeline/receive/member.js';
import { everyNamespace } from '../../../src/ports/database.js';
import { oldestFirst } from '../../../src/wire/query.js';

const key = `0x${'a'.repeat(40)}`;
const own = { organization: 'alice', did: organizationDid('alice'), key, keys: [key] };
const peer = { publicKeyHash: 'b'.repeat(64), endpoint: 'https://127.0.0.1:16050' };
const elsewhere = { ...peer, endpoint: 'https://127.0.0.1:16150' };

/** A node in front of a chain whose registry names it, or not yet. */
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
    const parts = { namespaces: [], random, contract: '0xc' };
    await database.transaction((unit) => applyMembership(unit, logs, parts));
    processed = logs.at(-1)?.position.block ?? 0;
  };
  const parts = { database, own, clock, random, log: createSilentLog(), blockchain: ledger.connect({ keys: [key] }) };
  const node = { organization: 'alice', key, node: 'alice-node' };
  if (registered !== undefined) ledger.addMember({ ...node, ...registered });
  return {
    read,
    setNode: () => ledger.setNode({ organization: 'alice', ...peer }),
    /** A life of the node. */
    step: () => createAnnounceStep({ ...parts, peer, processedBlock: () => processed }),
    silent: () => createAnnounceStep({ ...parts, processedBlock: () => processed }),
    async calls() {
      const query = { namespace: everyNamespace, where: [], sort: oldestFirst, limit: 10 } as const;
      const rows = await database.find('operations', query);
      return rows.map(({ type, lane, input }) => ({ type, lane, input }));
    },
  };
}

const expected = { type: 'blockchain_register_identity', lane: `key:${key}`, input: { type: 'set_node', ...peer } };

it('tells the registry where the node listens when it has something else', async () => {
  const node = await open(elsewhere);
  await node.read();
  expect(await node.step()()).toEqual({ hasWorked: false, rings: ['operations', 'events'] });
  expect(await node.calls()).toEqual([expected]);
});

it('tells nothing that the registry has already, nor before it names this node', async () => {
  const known = await open(peer);
  await known.read();
  await known.step()();
  expect(await known.calls()).toEqual([]);
  const unknown = await open(undefined);
  await unknown.step()();
  expect(await unknown.calls()).toEqual([]);
});

it('tells it once, also over a restart while the call is on its way', async () => {
  const node = await open(elsewhere);
  await node.read();
  const step = node.step();
  await step();
  await step();
  await node.step()();
  expect(await node.calls()).toHaveLength(1);
});

it('waits until it has read the chain to its end, where the registry may be right by now', async () => {
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

it('has nothing to tell when it listens to nobody', async () => {
  const node = await open(elsewhere);
  await node.read();
  await node.silent()();
  expect(await node.calls()).toEqual([]);
});
