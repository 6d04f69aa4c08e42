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

/** A node whose registry is as the logs say, and whether it lets a key in. */
async function open(publicKeyHash: string) {
  const exchange = createMemoryExchange();
  const own = { publicKeyHash: 'f'.repeat(64), endpoint: 'https://own' };
  const dataExchange = exchange.connect(own);
  await dataExchange.listen(aReceiver());
  const guest = exchange.connect({ publicKeyHash, endpoint: 'https://guest' });
  const database = createMemoryDatabase();
  const admit = createAdmitStep({ database, dataExchange });
  return {
    async hears(...logs: readonly (MemberLog | NodeLog)[]): Promise<void> {
      await database.transaction((unit) => applyMembership(unit, logs, parts));
      await admit();
    },
    isIn: () =>
      guest.send(own, '{}').then(
        () => true,
        () => false,
      ),
  };
}

const key = 'a'.repeat(64);

it('lets in whom the registry names, and nobody before', async () => {
  const node = await open(key);
  expect(await node.isIn()).toBe(false);
  await node.hears(member('bob', 'b'.repeat(64)));
  expect(await node.isIn()).toBe(false);
  await node.hears(member('alice', key));
  expect(await node.isIn()).toBe(true);
});

it('lets a key in no more when its member has another', async () => {
  const node = await open(key);
  await node.hears(member('alice', key));
  await node.hears(moved('alice', 'c'.repeat(64)));
  expect(await node.isIn()).toBe(false);
});

it('a member without a certificate lets nobody in', async () => {
  const none = '0'.repeat(64);
  const node = await open(none);
  await node.hears(member('alice', none));
  expect(await node.isIn()).toBe(false);
});

it('finds every member of a network that is larger than a page', async () => {
  const node = await open(key);
  const others = Array.from({ length: 501 }, (_, index) => member(`m${index}`, index.toString(16).padStart(64, '1')));
  await node.hears(...others, member('alice', key));
  expect(await node.isIn()).toBe(true);
});
