import { beforeEach, describe, expect, test } from 'vitest';
import { type Blockchain, ChainError } from '../../../../../src/ports/blockchain.js';
import { aPin } from '../../../../compliance/blockchain/follower.js';
import { callOf, type ChainScene, key, openChainScene } from '../chain-scene.js';

let scene: ChainScene;

beforeEach(async () => {
  scene = await openChainScene();
});

async function statuses(): Promise<readonly string[]> {
  return (await scene.operations()).map(({ status }) => status);
}

test('gives each nonce of a key to one call or pin', async () => {
  await scene.insert(40, { hasPins: true });
  await scene.runNode();
  expect([...scene.mined()].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  const nonces = (await scene.operations()).map(({ nonce }) => nonce);
  expect([...nonces].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

test('stores bytes, nonce and hash before it sends the bytes, and the hash in the transaction', async () => {
  await scene.insert(1);
  const sent: string[] = [];
  await scene.runNode({
    wrapChain: (chain) => ({
      ...chain,
      submit: async (raw) => {
        const [operation] = await scene.operations();
        expect(operation).toMatchObject({ raw, nonce: 0, transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
        sent.push(raw);
        return chain.submit(raw);
      },
    }),
  });
  expect(sent).toHaveLength(1);
  const row = await scene.database.first('transactions', {
    namespace: 'default',
    id: (await scene.operations())[0]?.tx ?? '',
  });
  expect(row?.blockchainIds).toEqual([(await scene.operations())[0]?.transactionHash]);
});

test('mines calls in the order of their nonces, even if they arrive in another order', async () => {
  await scene.insert(16);
  let waiting: (() => void)[] = [];
  await scene.runNode({
    wrapChain: (chain) => ({
      ...chain,
      submit: async (raw) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < 16) return;
          for (const release of waiting.reverse()) release();
          waiting = [];
        });
        return chain.submit(raw);
      },
    }),
  });
  expect(scene.mined()).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
});

test('sends the stored calls before new ones after a crash, in the order of their nonces', async () => {
  await scene.insert(20);
  await scene.runNode({ crash: { failpoint: 'tx.after-raw-stored', hit: 16 }, wrapChain: withoutCalls });
  expect(scene.mined()).toEqual([]);
  const stored = (await scene.operations()).filter(({ raw }) => raw !== null);
  expect(stored).toHaveLength(16);
  const order: (string | null)[] = [];
  await scene.runNode({
    wrapChain: (chain) => ({
      ...chain,
      submit: (raw) => {
        order.push(raw);
        return chain.submit(raw);
      },
    }),
  });
  expect(order.slice(0, 16)).toEqual(stored.map(({ raw }) => raw));
  expect(scene.mined()).toHaveLength(20);
});

test('sends a call again that was lost on its way to the chain', async () => {
  await scene.insert(3);
  let isLost = false;
  await scene.runNode({
    wrapChain: (chain) => ({
      ...chain,
      submit: (raw) => {
        if (isLost) return chain.submit(raw);
        isLost = true;
        return Promise.reject(new ChainError('unreachable', 'It is lost.'));
      },
    }),
  });
  expect([...scene.mined()].sort()).toEqual([1, 2, 3]);
});

test('sends all stored calls with lower nonces before a call, in their order, also those of other lanes', async () => {
  await scene.insert(5);
  await scene.runNode({ crash: { failpoint: 'tx.after-raw-stored', hit: 5 }, wrapChain: withoutCalls });
  const stored = await scene.operations();
  const id = stored.slice(0, 4).map((operation) => operation.id);
  await scene.database.transaction((unit) =>
    unit.update('operations', { namespace: 'default', id }, { lane: 'not served' }),
  );
  const sent: string[] = [];
  await scene.runNode({
    wrapChain: (chain) => ({
      ...chain,
      submit: (raw) => {
        sent.push(raw);
        return chain.submit(raw);
      },
    }),
    untilMs: 5_000,
  });
  expect(sent).toEqual(stored.map(({ raw }) => raw));
  expect(scene.mined()).toEqual([1, 2, 3, 4, 5]);
});

test('signs a call again if another call has used its nonce, and stores the new hash in the transaction', async () => {
  await scene.insert(3);
  await scene.runNode({ crash: { failpoint: 'tx.after-raw-stored', hit: 3 }, wrapChain: withoutCalls });
  const before = await scene.operations();
  scene.ledger.call(key, aPin({ batchHash: 'f'.repeat(64) }));
  await scene.runNode();
  expect(
    scene
      .mined()
      .filter((number) => number <= 3)
      .sort(),
  ).toEqual([1, 2, 3]);
  expect(scene.mined()).toHaveLength(4);
  const [first] = await scene.operations();
  expect(first?.nonce).toBe(3);
  expect(first?.transactionHash).not.toBe(before[0]?.transactionHash);
  const row = await scene.database.first('transactions', { namespace: 'default', id: first?.tx ?? '' });
  expect(row?.blockchainIds).toEqual([first?.transactionHash]);
});

test('keeps a call whose nonce was used in a block that is not confirmed yet', async () => {
  await scene.insert(1);
  await scene.runNode({ crash: { failpoint: 'tx.after-raw-stored', hit: 1 }, wrapChain: withoutCalls });
  const [before] = await scene.operations();
  scene.ledger.call(key, aPin({ batchHash: 'f'.repeat(64) }));
  await scene.runNode({
    wrapChain: (chain) => ({ ...chain, count: (of, which) => countUnconfirmed(chain, of, which) }),
    untilMs: 15_000,
  });
  expect(await scene.operations()).toMatchObject([{ status: 'Pending', raw: before?.raw, nonce: 0 }]);
  await scene.runNode();
  expect(await scene.operations()).toMatchObject([{ status: 'Succeeded', nonce: 1 }]);
});

describe('a call without its effect in its block', () => {
  test('fails once a second receipt names the same block', async () => {
    await scene.insert(1);
    let checks = 0;
    await scene.runNode({ hasEffect: () => (checks += 1) > 2 });
    expect(checks).toBe(2);
    expect(await scene.operations()).toMatchObject([{ status: 'Failed', error: 'Nothing in block 2.' }]);
  });

  test('does not fail when a second receipt names another block, since the first one was replaced', async () => {
    await scene.insert(1);
    let checks = 0;
    const hasEffect = (block: number): boolean => {
      if (block !== 2) return (checks += 1) > 1;
      // The chain replaces the block after the receipt is read and before its logs are.
      const gone = scene.ledger.rewind(1);
      scene.ledger.addMember(aMember);
      for (const raw of gone) void scene.ledger.connect({ keys: [] }).submit(raw);
      return false;
    };
    await scene.runNode({ hasEffect });
    expect(checks).toBe(2);
    expect(await scene.operations()).toMatchObject([{ status: 'Succeeded', output: { blockNumber: 3 } }]);
  });

  const aMember = {
    organization: 'late',
    key: `0x${'d'.repeat(40)}`,
    node: 'late-node',
    endpoint: '',
    publicKeyHash: 'd'.repeat(64),
  };
});

describe('a call that the chain never accepts', () => {
  const tooExpensive = {
    type: 'contract',
    to: `0x${'1'.repeat(40)}`,
    data: '0x',
    gas: 20_000_000,
    value: '0',
  } as const;
  const call = (number: number) => (number === 2 ? tooExpensive : callOf(number));

  test('fails with the reason, without blocking later calls', async () => {
    await scene.insert(5);
    await scene.runNode({ call });
    expect(await statuses()).toEqual(['Succeeded', 'Failed', 'Succeeded', 'Succeeded', 'Succeeded']);
    expect(scene.mined()).toEqual([1, 3, 4, 5]);
    expect((await scene.operations())[1]).toMatchObject({
      error: expect.stringContaining('20000000 gas'),
      output: null,
    });
  });

  test('writes its failure in the unit of its consequences', async () => {
    await scene.insert(2);
    const errors: string[] = [];
    await scene.runNode({
      call,
      failed: (error) => async () => {
        errors.push(error);
        return [];
      },
    });
    expect(errors).toEqual([expect.stringContaining('20000000 gas')]);
  });

  test.each(['tx.after-filler-stored', 'tx.after-receipt'])('fails once after a crash at %s', async (failpoint) => {
    await scene.insert(5);
    await scene.runNode({ call, crash: { failpoint, hit: 1 } });
    await scene.runNode({ call });
    expect(await statuses()).toEqual(['Succeeded', 'Failed', 'Succeeded', 'Succeeded', 'Succeeded']);
    expect([...scene.mined()].sort()).toEqual([1, 3, 4, 5]);
    expect(await scene.ledger.connect({ keys: [] }).count(key)).toBe(5);
  });
});

test('fails a reverted call with the reason from the chain', async () => {
  await scene.insert(1);
  scene.ledger.revertCalls(1);
  await scene.runNode();
  expect(await scene.operations()).toMatchObject([
    { status: 'Failed', error: 'The chain reverted the call: Refused()', output: null },
  ]);
});

/** Returns a chain that receives no call. */
function withoutCalls(chain: Blockchain): Blockchain {
  return { ...chain, submit: () => new Promise(() => undefined) };
}

/** Counts no call as confirmed. */
function countUnconfirmed(chain: Blockchain, of: string, which: 'mined' | 'confirmed' = 'mined'): Promise<number> {
  return which === 'mined' ? chain.count(of) : Promise.resolve(0);
}

test('fails a call of the network contract without signing it', async () => {
  await scene.insert(2);
  const { network } = scene.ledger.connect({ keys: [] });
  const toNetwork = {
    type: 'contract',
    to: network.toUpperCase().replace('0X', '0x'),
    data: '0x',
    gas: 1,
    value: '0',
  } as const;
  await scene.runNode({ call: (number) => (number === 1 ? toNetwork : callOf(number)) });
  const [refused, other] = await scene.operations();
  expect(refused).toMatchObject({ status: 'Failed', raw: null, nonce: null, error: expect.stringContaining('PY1503') });
  expect(other).toMatchObject({ status: 'Succeeded' });
});
