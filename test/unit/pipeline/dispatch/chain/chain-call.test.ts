import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Blockchain, ChainError } from '../../../../../src/ports/blockchain.js';
import { aPin } from '../../../../compliance/blockchain/follower.js';
import { callOf, type ChainScene, key, openChainScene } from '../chain-life.js';

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

test('sends the stored calls first after a crash, in the order of their nonces', async () => {
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

test('sends a call that was lost again when later calls need its nonce', async () => {
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

  test('succeeds with a receipt of another block if the first block was replaced', async () => {
    await scene.insert(1);
    const hasEffect = (block: number): boolean => {
      if (block !== 2) return true;
      // The chain replaces the block wrapChain the receipt and the look at its logs.
      const gone = scene.ledger.rewind(1);
      scene.ledger.addMember(aMember);
      for (const raw of gone) void scene.ledger.connect({ keys: [] }).submit(raw);
      return false;
    };
    await scene.runNode({ hasEffect });
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

test('mines each call once, for any crashes, lost replies and order of arrival', async () => {
  const failpoint = fc.constantFrom(
    'tx.after-raw-stored',
    'tx.after-receipt',
    'tx.after-signed-anew',
    'tx.after-filler-stored',
    'test.inside-last-unit',
  );
  const life = fc.record({
    failpoint,
    hit: fc.integer({ min: 1, max: 12 }),
    more: fc.integer({ min: 0, max: 12 }),
    lostReplies: fc.integer({ min: 0, max: 6 }),
    foreign: fc.constantFrom(0, 0, 0, 0, 1, 2),
    turns: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 20 }),
  });
  const lives = fc.array(life, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lives, fc.constantFrom(0, 0, 1, 2, 5, 9, 14), async (plan, refusedOne) => {
      scene = await openChainScene();
      const call = (number: number) =>
        number === refusedOne
          ? ({ type: 'contract', to: key, data: '0x01', gas: 20_000_000, value: '0' } as const)
          : callOf(number);
      let inserted = 0;
      let foreign = 0;
      let refusals = 0;
      const onRefusal = (): void => void (refusals += 1);
      for (const each of plan) {
        await scene.insert(each.more, { hasPins: true });
        inserted += each.more;
        scene.ledger.loseReplies(each.lostReplies);
        await scene.runNode({ call, crash: each, wrapChain: (chain) => slowedDown(chain, each.turns, onRefusal) });
        for (let other = 0; other < each.foreign; other += 1) {
          scene.ledger.call(key, aPin({ batchHash: 'f'.repeat(64) }));
          foreign += 1;
        }
      }
      scene.ledger.loseReplies(0);
      await scene.runNode({ call, wrapChain: (chain) => slowedDown(chain, [0], onRefusal) });
      const expected = Array.from({ length: inserted }, (_, index) => index + 1).filter((each) => each !== refusedOne);
      const own = scene.mined().filter((number) => number <= inserted);
      expect([...own].sort((a, b) => a - b)).toEqual(expected);
      expect(scene.mined()).toHaveLength(expected.length + foreign);
      // Only a call of another program can use a nonce first: no two operations get the same nonce.
      if (foreign === 0 && expected.length === inserted) expect(refusals).toBe(0);
      for (const { status, input } of await scene.operations()) {
        expect(status).toBe(input['number'] === refusedOne ? 'Failed' : 'Succeeded');
      }
    }),
    { numRuns: 60 },
  );
});

/** Returns a chain that receives no call. */
function withoutCalls(chain: Blockchain): Blockchain {
  return { ...chain, submit: () => new Promise(() => undefined) };
}

/** Counts no call as confirmed. */
function countUnconfirmed(chain: Blockchain, of: string, which: 'mined' | 'confirmed' = 'mined'): Promise<number> {
  return which === 'mined' ? chain.count(of) : Promise.resolve(0);
}

/** Delays submitted calls by this many turns each, in the order of the list. */
function slowedDown(chain: Blockchain, turns: readonly number[], onRefusal: () => void): Blockchain {
  let sent = 0;
  return {
    ...chain,
    async submit(raw) {
      const left = turns[sent++ % turns.length] ?? 0;
      for (let turn = 0; turn < left; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return chain.submit(raw).catch((error: unknown) => {
        if (error instanceof ChainError && error.reason === 'refused') onRefusal();
        throw error;
      });
    },
  };
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
