import { afterEach, describe, expect, it } from 'vitest';
import { runTokenOperation } from '../../../../src/cli/tokens/operation.js';
import type { TokenFlags } from '../../../../src/cli/tokens/token-flags.js';
import { ServiceError } from '../../../../src/wire/errors/error.js';
import { memoryOutput } from '../memory-output.js';
import { type Came, type PlainNode, type Reply, startPlainNode } from '../plain-node.js';

const [localId, poolId, transaction, operation, messageId] = [1, 2, 3, 4, 5].map(
  (n) => `${n}d3f9b1e-0a6c-4582-8e4d-5b7c9f2a1e14`,
);
const [alice, bob] = ['0x7e5f4552091a69125d5dfcb7b8c2659029395bdf', '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf'];
const chainHash = `0x${'ab'.repeat(32)}`;
const created = '2026-01-15T10:00:00.000Z';

let node: PlainNode | undefined;
afterEach(async () => {
  await node?.stop();
});

function transfer(more: Readonly<Record<string, unknown>> = {}) {
  const parties = { key: alice, to: bob };
  const known = { type: 'mint', localId, pool: poolId, connector: 'erc1155', namespace: 'default', amount: '100' };
  return { ...known, ...parties, tx: { type: 'token_transfer', id: transaction }, ...more };
}

const recorded = { protocolId: '000000000004/000000/000001', created };
const pool = { id: poolId, name: 'coins', type: 'fungible', connector: 'erc1155', active: true, published: true };

/** Starts a node that records what it accepts; `over` returns the answers of a test. */
async function recording(over: (came: Came) => Reply | undefined = () => undefined): Promise<PlainNode> {
  node = await startPlainNode((came) => over(came) ?? usual(came));
  return node;
}

function usual({ method, path, query }: Came): Reply | undefined {
  if (method === 'POST') return { status: 202, body: transfer() };
  if (path === `tokens/transfers/${localId}`) return { body: transfer(recorded) };
  if (path === 'tokens/transfers' && query.get('protocolid') === recorded.protocolId) {
    return { body: [transfer(recorded)] };
  }
  if (path === `tokens/pools/${poolId}`) return { body: { ...pool, namespace: 'default', created } };
  if (path === 'tokens/pools') return { body: [{ ...pool, namespace: 'default', created }] };
  if (path === `transactions/${transaction}`) return { body: { id: transaction, blockchainIds: [chainHash] } };
  if (path === 'verifiers') return { body: [{ identity: poolId, value: bob }] };
  if (path === 'identities') return { body: [{ id: poolId, type: 'org', name: 'bob', did: 'did:parley:org/bob' }] };
  return undefined;
}

async function run(given: Partial<TokenFlags>, modes: { isJson?: boolean; isQuiet?: boolean } = {}) {
  const written = memoryOutput({ modes });
  const flags: TokenFlags = {
    verb: 'mint',
    amount: '100',
    items: [],
    'no-wait': false,
    timeout: '30s',
    'dry-run': false,
    curl: false,
    progress: 'auto',
    url: node?.url,
    ...given,
  };
  const context = { output: written.output, environment: {}, program: 'stack' };
  const error: unknown = await runTokenOperation(flags, context).catch((thrown: unknown) => thrown);
  return { out: written.out(), error };
}

function posted(): unknown {
  const post = node?.came.find(({ method }) => method === 'POST');
  return post === undefined ? undefined : [post.path, JSON.parse(post.body.toString('utf8'))];
}

describe('a token operation', () => {
  it('is posted with all digits, waited for, and reported with names', async () => {
    await recording();
    const { out, error } = await run({ pool: 'coins', to: 'bob' });
    expect(error).toBeUndefined();
    expect(posted()).toEqual(['tokens/mint', { amount: '100', pool: 'coins', to: 'bob' }]);
    const place = `transfer ${localId} · tx ${chainHash}`;
    expect(out).toMatch(
      new RegExp(`^minted 100 coins → bob · ${place} · recorded at 127.0.0.1:\\d+ in [\\d.]+ m?s\\n$`),
    );
  });

  it('prints the record as served with its durations, or only its id', async () => {
    await recording();
    const { out } = await run({ to: bob }, { isJson: true });
    expect(JSON.parse(out)).toMatchObject({
      ...transfer(recorded),
      stack: { schemaVersion: 1, timing: { acceptedMs: expect.any(Number) }, transactionHash: chainHash },
    });
    expect((await run({ 'no-wait': true }, { isQuiet: true })).out).toBe(`${localId}\n`);
  });

  it('carries a message, which is private if it has recipients', async () => {
    await recording();
    const items = [{ kind: 'value', text: '{"n": 1.0}' }] as const;
    const { out } = await run({ items, 'message-to': ['bob,carol'], tag: 'grant', 'dry-run': true }, { isJson: true });
    expect(out).toContain('"data":[{"value":{"n":1.0}}]');
    expect(JSON.parse(out)).toMatchObject({
      body: {
        message: {
          header: { type: 'transfer_private', tag: 'grant' },
          group: { members: [{ identity: 'bob' }, { identity: 'carol' }] },
        },
      },
    });
    expect(node?.came).toEqual([]);
  });

  it('waits for its message too, and reports if that was rejected', async () => {
    const header = { id: messageId, type: 'transfer_broadcast', author: 'did:parley:org/alice', topics: ['t'] };
    await recording(({ method, path }) => {
      if (method === 'POST') return { status: 202, body: transfer({ message: messageId }) };
      if (path !== `messages/${messageId}`) return undefined;
      return { body: { header, state: 'rejected', rejectReason: 'PY1901: no', data: [] } };
    });
    const { error } = await run({ items: [{ kind: 'value', text: '1' }] });
    expect(error).toMatchObject({ code: 'REJECTED', details: { id: messageId } });
  });

  it('exits with code 7, the reason and a retry command if it failed outside the contract', async () => {
    await recording(({ method, path }) => {
      if (method === 'GET' && path === `tokens/transfers/${localId}`)
        return { status: 404, body: { error: 'FF10109: no' } };
      if (path !== `transactions/${transaction}/operations`) return undefined;
      return { body: [{ id: operation, status: 'Failed', error: 'The chain does not answer.' }] };
    });
    const { error } = await run({});
    expect(error).toMatchObject({
      code: 'REJECTED',
      message: expect.stringContaining('does not answer'),
      hint: expect.stringContaining(`stack api POST operations/${operation}/retry`),
    });
  });

  it('explains the most frequent refusals of the contract', async () => {
    const refused = `The chain reverted the call: ERC1155InsufficientBalance(${bob}, 94, 5000, 7)`;
    await recording(({ method, path }) => {
      if (method === 'GET' && path === `tokens/transfers/${localId}`)
        return { status: 404, body: { error: 'FF10109: no' } };
      if (path !== `transactions/${transaction}/operations`) return undefined;
      return { body: [{ id: operation, status: 'Failed', error: refused }] };
    });
    const { error } = await run({});
    expect(error).toMatchObject({
      message: 'The operation failed: bob has only 94, not 5000 (ERC1155InsufficientBalance)',
      details: { operation, error: refused },
    });
  });

  it('exits with the id and code 5 when time is up', async () => {
    await recording(({ method, path }) => {
      if (method === 'POST') return undefined;
      return path === `transactions/${transaction}/operations`
        ? { body: [] }
        : { status: 404, body: { error: 'FF10109: no' } };
    });
    // Long enough for the request itself on any machine: the test is about the end of the wait after it.
    const { out, error } = await run({ timeout: '3s' });
    expect(error).toMatchObject({ code: 'TIMEOUT', details: { id: localId } });
    expect(out).toBe(`${localId}\n`);
  });

  const usedKey = ({ method, path, query }: Came): Reply | undefined => {
    if (method === 'POST') return { status: 409, body: { error: `FF10431: used by transaction ${transaction}.` } };
    if (path === 'tokens/pools/coins') return { body: { ...pool, namespace: 'default', created } };
    if (path === 'tokens/pools/deeds') return { body: { ...pool, id: messageId, namespace: 'default', created } };
    const isFirst = path === 'tokens/transfers' && query.get('tx.id') === transaction;
    return isFirst ? { body: [transfer(recorded)] } : undefined;
  };

  it('finds the first operation of an idempotency key', async () => {
    await recording(usedKey);
    for (const same of [{ to: 'bob', pool: 'coins' }, { to: bob, amount: '0100' }, { to: 'another' }]) {
      const { out } = await run({ ...same, idempotent: 'once' }, { isJson: true });
      expect(JSON.parse(out)).toMatchObject({ localId, stack: { duplicate: true } });
    }
  });

  /** A mint of three tokens, each with its own transfer; `tx` has the request. */
  const tokens = ['506', '507', '508'];
  const usedForTokens = (came: Came): Reply | undefined => {
    const { method, path, query } = came;
    const made = tokens.map((tokenIndex) => transfer({ ...recorded, amount: '1', tokenIndex }));
    if (method === 'GET' && path === 'tokens/transfers' && query.get('tx.id') === transaction) return { body: made };
    if (path === `tokens/transfers/${localId}`) return { body: made[0] };
    if (path === `tokens/pools/${poolId}`) {
      return { body: { ...pool, type: 'nonfungible', namespace: 'default', created } };
    }
    if (path === `transactions/${transaction}/operations`) return { body: [operationOf({ amount: '3' })] };
    return usedKey(came);
  };
  const move = { localId, pool: poolId, kind: 'mint', locator: 'l', key: alice, from: alice, to: bob, data: '0x' };
  const operationOf = (input: Readonly<Record<string, unknown>>) => ({
    id: operation,
    namespace: 'default',
    tx: transaction,
    type: 'token_transfer',
    status: 'Succeeded',
    plugin: 'erc1155',
    input: { ...move, ...input },
    created,
    updated: created,
  });

  it('finds all tokens of a mint that was sent before', async () => {
    await recording(usedForTokens);
    const { out, error } = await run({ to: 'bob', amount: '3', idempotent: 'once' });
    expect(error).toBeUndefined();
    expect(out).toMatch(/^minted 3 coins \(#506 to #508\) → bob · .* sent before · /);
  });

  it('refuses an idempotency key that was used for another number of tokens', async () => {
    await recording(usedForTokens);
    const { error } = await run({ to: 'bob', amount: '2', idempotent: 'once' });
    expect(error).toMatchObject({ code: 'CONFLICT', details: { earlier: localId } });
  });

  it('finds the first operation of an idempotency key also without waiting, before the chain has it', async () => {
    await recording((came) => {
      if (came.path === 'tokens/transfers' || came.path === 'messages') return { body: [] };
      return usedForTokens(came);
    });
    const { out, error } = await run({ to: 'bob', amount: '3', idempotent: 'once', 'no-wait': true }, { isJson: true });
    expect(error).toBeUndefined();
    expect(JSON.parse(out)).toMatchObject({ localId, type: 'mint', stack: { duplicate: true } });
    const other = await run({ to: 'bob', amount: '2', idempotent: 'once', 'no-wait': true });
    expect(other.error).toMatchObject({ code: 'CONFLICT' });
  });

  it.each<[string, Partial<TokenFlags>]>([
    ['another kind', { verb: 'burn' }],
    ['another amount', { amount: '101', to: 'bob' }],
    ['another recipient', { to: alice }],
    ['no recipient', {}],
    ['another pool', { to: 'bob', pool: 'deeds' }],
    ['another token', { to: 'bob', 'token-index': '7' }],
    ['a message', { to: 'bob', items: [{ kind: 'value', text: '1' }] }],
  ])('refuses an idempotency key that was used for other content: %s', async (_, given) => {
    await recording(usedKey);
    const { out, error } = await run({ ...given, idempotent: 'once' });
    expect(error).toMatchObject({ code: 'CONFLICT', details: { earlier: localId } });
    expect(out).toBe('');
  });
});

describe('wrong input', () => {
  it.each([
    ['an amount with a point', { amount: '1.5' }],
    ['an amount with separators', { amount: '1,000' }],
    ['an index that is no number', { 'token-index': 'first' }],
    ['a tag without a message', { tag: 'grant' }],
    ['recipients without a message', { 'message-to': ['bob'] }],
    ['a message that is no JSON', { items: [{ kind: 'value', text: '{"a":' }] }],
  ] as const)('sends nothing for %s', async (_, given) => {
    await recording();
    expect((await run(given)).error).toMatchObject({ code: 'USAGE' });
    expect(node?.came).toEqual([]);
  });

  it('is answered with the probable pool', async () => {
    const refused = { status: 404, body: { error: 'FF10109: not found' } };
    await recording(({ method }) => (method === 'POST' ? refused : undefined));
    const { error } = await run({ pool: 'coin' });
    expect(error).toMatchObject({ code: 'NOT_FOUND', message: 'No pool named "coin" — did you mean "coins"?' });
  });

  it('is answered with the pools if one must be chosen', async () => {
    const text = 'FF10292: The field pool is required, since there are several: coins, deeds.';
    await recording(({ method }) => (method === 'POST' ? { status: 400, body: { error: text } } : undefined));
    expect((await run({})).error).toMatchObject({ code: 'USAGE', message: '--pool is required: coins, deeds' });
  });

  it('is answered with how to create a pool if there is none', async () => {
    const { message: error } = new ServiceError('field_required', { field: 'pool', hint: ', and there is none' });
    await recording(({ method }) => (method === 'POST' ? { status: 400, body: { error } } : undefined));
    expect((await run({})).error).toMatchObject({ code: 'NOT_FOUND', hint: expect.stringContaining('pool create') });
  });

  it("is answered with the party's tokens if one must be chosen", async () => {
    await recording(({ method, path }) => {
      if (method === 'POST') return { status: 400, body: { error: 'PY1402: tokenIndex is required' } };
      const held = {
        pool: poolId,
        connector: 'erc1155',
        namespace: 'default',
        key: bob,
        balance: '1',
        updated: created,
      };
      return path === 'tokens/balances'
        ? { body: ['3', '7'].map((tokenIndex) => ({ ...held, tokenIndex })) }
        : undefined;
    });
    const { error } = await run({ verb: 'transfer', amount: '1', to: 'carol', from: 'bob' });
    expect(error).toMatchObject({ code: 'USAGE', message: '--token-index is required: 3, 7' });
  });
});
