import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { openInspection } from '../../../../src/cli/explain/inspection.js';
import { createOpenSocket } from '../../../../src/cli/requests/open-socket.js';
import type { PartyNode } from '../../../../src/cli/requests/target.js';
import { uuid } from '../../../support/fixtures.js';
import { memoryOutput } from '../memory-output.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';
import { aParty } from './an-inspection.js';

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

const context = 'a'.repeat(64);
const pin = {
  sequence: 1,
  namespace: 'default',
  masked: false,
  hash: context,
  batch: uuid(5),
  batchHash: 'b'.repeat(64),
  index: 0,
  dispatched: false,
  signer: `0x${'c'.repeat(40)}`,
  created: '2026-01-31T12:00:00.000Z',
};

describe('the first undecided pin of a context', () => {
  it('is requested from a node once', async () => {
    const pinned = await startPlainNode(({ path }) => (path === 'pins' ? { body: [pin] } : undefined));
    node = pinned;
    const bob = at(pinned.url);
    const inspection = await lookAt([bob]);
    expect([await inspection.firstPinned(bob, context), await inspection.firstPinned(bob, context)]).toEqual([
      uuid(5),
      uuid(5),
    ]);
    expect(pinned.came.map(({ query }) => query.toString())).toEqual([
      `hash=${context}&dispatched=false&sort=sequence&limit=1`,
    ]);
  });

  it('is unknown for a node that does not answer', async () => {
    const bob = at('http://127.0.0.1:1');
    const inspection = await lookAt([bob]);
    expect(await inspection.firstPinned(bob, context)).toBeUndefined();
  });

  it('is refused if the node refuses it, like everything else', async () => {
    const refusing = await startPlainNode(() => ({ status: 403, body: { error: 'PY1302: Not permitted' } }));
    node = refusing;
    const bob = at(refusing.url);
    const inspection = await lookAt([bob]);
    await expect(inspection.firstPinned(bob, context)).rejects.toMatchObject({ status: 403 });
  });
});

describe('an inspection', () => {
  it('finds the author of a message in a network of either spelling', async () => {
    const inspection = await lookAt([aParty('alice'), aParty('bob')]);
    expect(inspection.partyOf('did:firefly:org/alice')?.name).toBe('alice');
    expect(inspection.partyOf('did:parley:org/bob')?.name).toBe('bob');
  });
});
