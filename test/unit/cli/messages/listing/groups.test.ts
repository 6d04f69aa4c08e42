import { afterEach, expect, it } from 'vitest';
import { createGroups } from '../../../../../src/cli/messages/listing/groups.js';
import type { PartyNode } from '../../../../../src/cli/requests/target.js';
import { createClient } from '../../../../../src/client/client.js';
import { messageRecord } from '../../message-record.js';
import { type PlainNode, startPlainNode } from '../../plain-node.js';

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

it('a group is read once, and again if it could not be read', async () => {
  const hash = 'a'.repeat(64);
  const members = ['alice', 'bob'].map((name) => ({ identity: `did:parley:org/${name}`, node: 'n' }));
  const group = { namespace: 'default', name: '', hash, members, created: '2026-01-15T10:00:00.000Z' };
  let asked = 0;
  node = await startPlainNode(() => {
    asked += 1;
    return asked === 1 ? { status: 503, body: { error: 'PY1010: The node is stopping.' } } : { body: group };
  });
  const client = createClient({ url: node.url });
  const party: PartyNode = {
    name: 'alice',
    url: node.url,
    client,
    organization: undefined,
    node: undefined,
    credential: undefined,
  };
  const groups = createGroups({
    stack: undefined,
    namespace: 'default',
    parties: [party],
    party,
    headersOf: () => ({}),
    agentOf: () => undefined,
    openSocket: () => ({ send: () => undefined, close: () => undefined }),
  });
  const { header, ...message } = messageRecord();
  const told = { ...message, header: { ...header, group: hash } };
  await expect(groups.recipientsOf(told)).rejects.toMatchObject({ status: 503 });
  expect([await groups.recipientsOf(told), await groups.recipientsOf(told)]).toEqual([['bob'], ['bob']]);
  expect(asked).toBe(2);
});
