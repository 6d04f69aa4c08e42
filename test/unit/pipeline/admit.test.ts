import { expect, it } from 'vitest';
import { profileRulesOf } from '../../../src/domain/network/profile.js';
import { createMemoryExchange } from '../../../src/adapters/data-exchange/memory.js';
import { createMemoryDatabase } from '../../../src/adapters/database/memory/memory.js';
import { createSeededRandom } from '../../../src/adapters/random/seeded.js';
import { createAdmitStep } from '../../../src/pipeline/admit.js';
import { applyMembership } from '../../../src/pipeline/receive/member.js';
import type { MemberLog, NodeLog } from '../../../src/ports/blockchain.js';
import { aReceiver } from '../../support/peer-receiver.js';

const position = { block: 1, transactionIndex: 0, logIndex: 0 };
const place = { position, transactionHash: 't'.repeat(64), time: '2026-01-15T10:00:00.000Z' };

function member(organization: string, publicKeyHash: string): MemberLog {
  const key = `0x${publicKeyHash.slice(0, 40)}`;
  const node = `${organization}-node`;
  return { type: 'member_added', ...place, organization, key, node, endpoint: '', publicKeyHash };
}

function moved(organization: string, publicKeyHash: string): NodeLog {
  return { type: 'node_changed', ...place, organization, endpoint: 'https://elsewhere', publicKeyHash };
}

const parts = {
  namespaces: ['svc_system'],
  random: createSeededRandom(1),
  contract: '0xc',
  profileRules: profileRulesOf(undefined),
};

/** Creates a node whose registry comes from the given logs, and a guest with this key that tries to connect. */
async function open(publicKeyHash: string) {
  const exchange = createMemoryExchange();
  const own = { publicKeyHash: 'f'.repeat(64), endpoint: 'https://own' };
  const dataExchange = exchange.connect(own);
  await dataExchange.listen(aReceiver());
  const guest = exchange.connect({ publicKeyHash, endpoint: 'https://guest' });
  const database = createMemoryDatabase();
  const admit = createAdmitStep({ database, dataExchange });
  return {
    async applies(...logs: readonly (MemberLog | NodeLog)[]): Promise<void> {
      await database.transaction((unit) => applyMembership(unit, logs, parts));
      await admit();
    },
    isAdmitted: () =>
      guest.send(own, '{}').then(
        () => true,
        () => false,
      ),
  };
}

const key = 'a'.repeat(64);

it('admits a key once the registry has it, and not before', async () => {
  const node = await open(key);
  expect(await node.isAdmitted()).toBe(false);
  await node.applies(member('bob', 'b'.repeat(64)));
  expect(await node.isAdmitted()).toBe(false);
  await node.applies(member('alice', key));
  expect(await node.isAdmitted()).toBe(true);
});

it('no longer admits a key when its member has changed to another', async () => {
  const node = await open(key);
  await node.applies(member('alice', key));
  await node.applies(moved('alice', 'c'.repeat(64)));
  expect(await node.isAdmitted()).toBe(false);
});

it('admits no key for a member without a certificate', async () => {
  const none = '0'.repeat(64);
  const node = await open(none);
  await node.applies(member('alice', none));
  expect(await node.isAdmitted()).toBe(false);
});

it('admits every member of a network that is larger than a page', async () => {
  const node = await open(key);
  const others = Array.from({ length: 501 }, (_, index) => member(`m${index}`, index.toString(16).padStart(64, '1')));
  await node.applies(...others, member('alice', key));
  expect(await node.isAdmitted()).toBe(true);
});
