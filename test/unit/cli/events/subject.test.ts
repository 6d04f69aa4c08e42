import { afterEach, describe, expect, it } from 'vitest';
import { createEventSubject } from '../../../../src/cli/events/subject.js';
import { createClient } from '../../../../src/client/client.js';
import type { DeliveredEvent } from '../../../../src/wire/events/event.js';
import { type PlainNode, startPlainNode } from '../plain-node.js';

const [alice, bob] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`];
const id = '1d3f9b1e-0a6c-4582-8e4d-5b7c9f2a1e14';
const created = '2026-01-15T10:00:00.000Z';

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

/** Starts a node that has bob and, from the second request on, the pool. */
async function aNode() {
  let asked = 0;
  node = await startPlainNode(({ path }) => {
    if (path === 'verifiers') return { body: [{ identity: id, value: bob }] };
    if (path === 'identities') return { body: [{ id, type: 'org', name: 'bob', did: 'did:parley:org/bob' }] };
    if (path !== 'tokens/pools') return undefined;
    return { body: asked++ === 0 ? [] : [{ id, name: 'coins', type: 'fungible', namespace: 'default', created }] };
  });
  return node;
}

function anEvent(about: Partial<DeliveredEvent>): DeliveredEvent {
  const subscription = { id, namespace: 'default', name: 'x' };
  const known = { id, sequence: 1, namespace: 'default', reference: id, created, subscription };
  return { ...known, type: 'token_transfer_confirmed', ...about };
}

function aTransfer(more: object): Partial<DeliveredEvent> {
  const known = { localId: id, pool: id, connector: 'erc1155', namespace: 'default', key: alice, amount: '5' };
  return { tokenTransfer: { ...known, type: 'transfer', ...more } };
}

describe('the subject of an event', () => {
  it('names tokens, including those of new pools', async () => {
    const { url } = await aNode();
    const subject = createEventSubject({ client: createClient({ url, namespace: 'default' }) });
    const moved = async (more: object) => subject(anEvent(aTransfer(more)));
    expect(await moved({ from: alice, to: bob })).toEqual([`transfer 5 1d3f9b1e 0xaaaaaaaa… → bob`]);
    expect(await moved({ from: alice, to: bob })).toEqual([`transfer 5 coins 0xaaaaaaaa… → bob`]);
    expect(await moved({ type: 'mint', to: bob, tokenIndex: '7', amount: '1' })).toEqual(['mint coins #7 → bob']);
    expect(await moved({ type: 'burn', from: bob })).toEqual(['burn 5 coins of bob']);
    const approval = { localId: id, pool: id, connector: 'erc1155', namespace: 'default', key: bob, operator: alice };
    expect(await subject(anEvent({ tokenApproval: { ...approval, approved: true } }))).toEqual([
      'bob lets 0xaaaaaaaa… move coins',
    ]);
    const asked = node?.came.map(({ path }) => path) ?? [];
    expect(asked.filter((path) => path === 'verifiers')).toHaveLength(1);
    expect(asked.filter((path) => path === 'tokens/pools')).toHaveLength(2);
  });

  it('has no names while the node is away', async () => {
    const { url } = await aNode();
    await node?.stop();
    node = undefined;
    const subject = createEventSubject({ client: createClient({ url, namespace: 'default' }) });
    expect(await subject(anEvent(aTransfer({ to: bob })))).toEqual(['transfer 5 1d3f9b1e → 0xbbbbbbbb…']);
  });

  it('is the reason of a failed operation, or the name of a definition', async () => {
    const { url } = await aNode();
    const subject = createEventSubject({ client: createClient({ url, namespace: 'default' }) });
    const operation = { id, namespace: 'default', tx: id, type: 'token_transfer', plugin: 'erc1155', created };
    const failed = { ...operation, status: 'Failed', updated: created, error: `NotCreator(${bob}, 7)` } as const;
    expect(await subject(anEvent({ operation: failed }))).toEqual([
      'bob is not the creator of the pool, and only the creator may mint (NotCreator)',
    ]);
    const interfaced = { contractInterface: { name: 'escrow', version: '1' } };
    expect(await subject(anEvent(interfaced))).toEqual(['escrow@1']);
    const transaction = { id, namespace: 'default', type: 'token_pool', created } as const;
    expect(await subject(anEvent({ transaction }))).toEqual(['token_pool']);
    expect(await subject(anEvent({}))).toEqual([]);
  });
});
