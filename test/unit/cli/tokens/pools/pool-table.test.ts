import { afterEach, expect, it } from 'vitest';
import { poolText, type PoolState, readState } from '../../../../../src/cli/tokens/pools/pool-table.js';
import { createClient } from '../../../../../src/client/client.js';
import type { TokenPool } from '../../../../../src/wire/token.js';
import { type PlainNode, startPlainNode } from '../../plain-node.js';

const id = '1d3f9b1e-0a6c-4582-8e4d-5b7c9f2a1e14';
const created = '2026-01-15T10:00:00.000Z';
const known = { id, name: 'coins', type: 'fungible', namespace: 'default', connector: 'erc1155', created } as const;
const pool: TokenPool = { ...known, active: false, published: true, tx: { type: 'token_pool', id } };

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

async function stateOf(of: TokenPool, status: string, details: readonly object[] = []): Promise<PoolState> {
  node = await startPlainNode(({ path }) =>
    path === `transactions/${id}/status` ? { body: { status, details } } : undefined,
  );
  return readState(createClient({ url: node.url, namespace: 'default' }), of);
}

it.each<[string, Partial<TokenPool>, string]>([
  ['active', { active: true }, 'Succeeded'],
  ['active here', { active: true, published: false }, 'Succeeded'],
  ['coming', {}, 'Pending'],
  ['failed', {}, 'Failed'],
  ['coming', { tx: { type: 'token_pool' } }, 'Failed'],
])('a pool is %s when %j and its transaction is %s', async (expected, changes, status) => {
  expect(await stateOf({ ...pool, ...changes }, status)).toEqual({ name: expected });
});

const nobody = { nameOf: () => undefined, keysOf: () => [], names: () => [] };

it('a pool whose creation has failed shows the reason', async () => {
  const reason = 'no \u001b[31mpool';
  const state = await stateOf(pool, 'Failed', [
    { type: 'Operation', status: 'Succeeded' },
    { type: 'Operation', status: 'Failed', error: reason },
  ]);
  expect(state).toEqual({ name: 'failed', reason });
  const text = poolText(pool, { state, supply: 0n, holders: new Map() }, nobody);
  expect(text).toMatch(/^state +failed\nreason +no .*pool$/m);
  expect(text).not.toContain('\u001b');
});
