import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { openInspection } from '../../../../src/cli/explain/inspection.js';
import { createOpenSocket } from '../../../../src/cli/requests/open-socket.js';
import type { PartyNode } from '../../../../src/cli/requests/target.js';
import { uuid } from '../../../support/fixtures.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';
import { aMessage, aParty } from './an-inspection.js';

async function lookAt(parties: readonly [PartyNode, ...PartyNode[]]) {
  const headersOf = () => ({});
  const rest = { headersOf, agentOf: () => undefined, openSocket: createOpenSocket(headersOf) };
  const target = { stack: undefined, namespace: 'default', parties, party: parties[0], ...rest };
  return openInspection(target, { output: memoryOutput().output, environment: {}, program: 'stack' });
}

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

function at(url: string): PartyNode {
  return { ...aParty('bob'), url, client: createClient({ url, namespace: 'default' }) };
}

describe('the messages of a batch', () => {
  it('are requested from a node once', async () => {
    const holder = await startPlainNode(({ path }) => (path === 'messages' ? { body: [aMessage(1)] } : undefined));
    node = holder;
    const bob = at(holder.url);
    const inspection = await lookAt([bob]);
    for (const messages of [await inspection.messagesOf(bob, uuid(5)), await inspection.messagesOf(bob, uuid(5))]) {
      expect(messages).toMatchObject([{ header: { id: uuid(1) } }]);
    }
    expect(holder.came.map(({ query }) => query.toString())).toEqual([`batch=${uuid(5)}&sort=sequence&limit=50`]);
  });

  it('are unknown for a node that does not answer', async () => {
    const bob = at('http://127.0.0.1:1');
    const inspection = await lookAt([bob]);
    expect(await inspection.messagesOf(bob, uuid(5))).toEqual([]);
  });

  it('are refused if the node refuses them, like everything else', async () => {
    const refusing = await startPlainNode(() => ({ status: 403, body: { error: 'PY1302: Not permitted' } }));
    node = refusing;
    const bob = at(refusing.url);
    const inspection = await lookAt([bob]);
    await expect(inspection.messagesOf(bob, uuid(5))).rejects.toMatchObject({ status: 403 });
  });
});

describe('an inspection', () => {
  it('finds the author of a message in a network of either spelling', async () => {
    const inspection = await lookAt([aParty('alice'), aParty('bob')]);
    expect(inspection.partyOf('did:firefly:org/alice')?.name).toBe('alice');
    expect(inspection.partyOf('did:parley:org/bob')?.name).toBe('bob');
  });
});

it('the payloads that are missing at a node are those that it has requested without success', async () => {
  const operation = { type: 'sharedstorage_download_batch', status: 'Pending' };
  const body = [
    { ...operation, input: { batch: uuid(1) } },
    { ...operation, input: { batch: uuid(2) }, error: 'The shared store answered 404.' },
  ];
  const holder = await startPlainNode(() => ({ body }));
  node = holder;
  const bob = at(holder.url);
  expect(await (await lookAt([bob])).missingBatches(bob)).toEqual([uuid(2)]);
  const [asked] = holder.came.filter(({ path }) => path.endsWith('/namespaces/svc_system/operations'));
  expect(asked?.query.get('sort')).toBe('created');
});
