import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../../../../src/adapters/database/memory/memory.js';
import { sealBatch, takeNonces } from '../../../../../src/domain/messages/batch.js';
import { hashOfGroup } from '../../../../../src/domain/group.js';
import { examinePayload } from '../../../../../src/domain/messages/verify.js';
import { currentRules, firstRules, type NetworkRules } from '../../../../../src/domain/network/network-rules.js';
import { createRegistry } from '../../../../../src/pipeline/state/identities/registry.js';
import { judgeBatch } from '../../../../../src/pipeline/receive/messages/judge.js';
import { createNonceGaps } from '../../../../../src/pipeline/receive/messages/nonces.js';
import { aBatch } from '../../../../compliance/database/rows.js';
import { aContent, alice, aMessage, uuid } from '../../../../support/fixtures.js';
import { rulebookOf } from '../../../../support/rulebook.js';

const others = Array.from({ length: 255 }, (_, i) => ({ identity: `did:parley:org/member${i}`, node: uuid(i) }));
const members = [{ identity: alice.did, node: alice.node }, ...others];
const group = { namespace: 'default', members, hash: hashOfGroup('default', '', members) };

/** Returns the verdict of a network with these rules on a batch of 41 topics for a group of 256 members. */
async function judge(rules: NetworkRules): Promise<string> {
  const messages = Array.from({ length: 41 }, (_, i) =>
    aMessage({ id: uuid(i), type: 'private', group: group.hash, topics: [`topic${i}`] }),
  );
  const content = aContent({ messages: takeNonces(messages, new Map()) });
  const sealed = sealBatch(content);
  const database = createMemoryDatabase();
  const ofBatch = { batch: content.id, batchHash: sealed.hash, signer: alice.key, identity: alice.did, block: 1 };
  await database.transaction((unit) =>
    unit.insert(
      'pins',
      sealed.contexts.map((context, index) => {
        return { namespace: 'svc_system', context, ...ofBatch, index, masked: true, spent: false, created: '' };
      }),
    ),
  );
  const row = aBatch({ id: content.id, hash: sealed.hash, signer: alice.key, author: alice.did, type: 'private' });
  const verdict = await judgeBatch(
    database,
    {
      registry: { ...createRegistry(), nodeIdOf: () => Promise.resolve(alice.node) },
      namespaces: ['default'],
      nonceGaps: createNonceGaps(),
      rulebook: rulebookOf(rules),
    },
    { ...row, txid: content.transactionId, sequence: 1 },
    { examined: examinePayload(sealed.payload), group },
  );
  return verdict.status === 'void' ? verdict.reason : verdict.status;
}

it('limits the topics of a private batch by its group where the network records the limit', async () => {
  expect(await judge(currentRules)).toBe('more topics than a batch of this group may have');
  expect(await judge(firstRules)).toBe('valid');
});
