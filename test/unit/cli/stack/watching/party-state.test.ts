import { expect, it, onTestFinished } from 'vitest';
import { readParties } from '../../../../../src/cli/stack/watching/party-state.js';
import { messageRecord } from '../../message-record.js';
import { type Came, startPlainNode } from '../../plain-node.js';

/** Returns the status of a node with this many undecided messages in the requested namespace. */
function statusWith(pending: number, outboxes: readonly number[]) {
  return {
    parley: {
      pending,
      blocked: 0,
      lastSequence: 9,
      chain: { head: 9, confirmed: 6, processed: 4 },
      rules: null,
      waiting: [{ service: 'chain' }, { service: 'chain' }],
      peers: outboxes.map((outbox, index) => ({ node: `node-${index}`, outbox })),
    },
  };
}

it('the state of a party counts pending work in all its namespaces, and undelivered messages', async () => {
  const node = await startPlainNode(({ path, query }: Came) => {
    if (path === 'status') return { body: statusWith(1, [0, 2]) };
    if (path === '/api/v1/namespaces/orders/status') return { body: statusWith(3, [0, 2]) };
    if (path === '/api/v1/namespaces/svc_system/status') return { body: statusWith(0, [0, 2]) };
    if (path === 'operations') return { body: { count: 0, total: 2, items: [] } };
    if (path === '/api/v1/namespaces/orders/operations') {
      // Ended operations, and those of messages and batches, are not requested.
      const [status, type] = [query.getAll('status'), query.getAll('type')];
      expect([...status, ...type]).toEqual(
        'Initialized Pending ^token_ blockchain_invoke blockchain_deploy'.split(' '),
      );
      return { body: { count: 0, total: 1, items: [] } };
    }
    if (path === 'messages' && query.has('count')) return { body: { count: 0, total: 7, items: [] } };
    if (path === 'messages') return { body: [messageRecord({ topics: ['news', 'order-7'] })] };
    if (path !== '/api/v1/namespaces/orders/messages') return undefined;
    return { body: ['order-7', 'order-8', 'order-7'].map((topic) => messageRecord({ topics: [topic] })) };
  });
  onTestFinished(() => node.stop());
  const alice = { name: 'alice', url: node.url, pid: 1, isExternal: false };
  const states = await readParties([alice], { accesses: new Map(), namespaces: ['default', 'orders'] });
  expect(states.get('alice')).toMatchObject({
    messages: 7,
    pending: 4,
    pendingTopics: ['news', 'order-7', 'order-8'],
    outbox: 2,
    operations: 3,
    chainLag: 2,
    waiting: ['chain'],
  });
});
