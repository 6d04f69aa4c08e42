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

test('calls of a key are many on their way, pins one, and all share its nonces', async () => {
  await scene.insert(40, { hasPins: true });
  await scene.live();
  expect([...scene.mined()].sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  const nonces = (await scene.operations()).map(({ nonce }) => nonce);
  expect([...nonces].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

test('bytes, nonce and hash are stored before the bytes are sent, and the transaction names the hash', async () => {
  await scene.insert(1);
  const sent: string[] = [];
  await scene.live({
    between: (chain) => ({
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

test('calls that arrive in another order than that of their nonces wait for each other', async () => {
  await scene.insert(16);
  let held: (() => void)[] = [];
  await scene.live({
    between: (chain) => ({
      ...chain,
      submit: async (raw) => {
        await new Promise<void>((resolve) => {
          held.push(resolve);
          if (held.length < 16) return;
          for (const release of held.reverse()) release();
          held = [];
        });
        return chain.submit(raw);
      },
    }),
  });
  expect(scene.mined()).toEqual(Array.from({ length: 16 }, (_, index) => index + 1));
});

test('a life sends first what the one before has stored, the lowest nonce first, also for others', async () => {
  await scene.insert(20);
  await scene.live({ death: { failpoint: 'tx.after-raw-stored', hit: 16 }, between: deaf });
  expect(scene.mined()).toEqual([]);
  const stored = (await scene.operations()).filter(({ raw }) => raw !== null);
  expect(stored).toHaveLength(16);
  const order: (string | null)[] = [];
  await scene.live({
    between: (chain) => ({
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

test('what the chain has forgotten is sent again on behalf of its operation by those behind it', async () => {
  await scene.insert(3);
  let isForgotten = false;
  await scene.live({
    between: (chain) => ({
      ...chain,
      submit: (raw) => {
        if (isForgotten) return chain.submit(raw);
        isForgotten = true;
        return Promise.reject(new ChainError('unreachable', 'It is forgotten.'));
      },
    }),
  });
  expect([...scene.mined()].sort()).toEqual([1, 2, 3]);
});

test('a call whose nonce another one has used is signed anew, and the transaction names what was sent', async () => {
  await scene.insert(3);
  await scene.live({ death: { failpoint: 'tx.after-raw-stored', hit: 3 }, between: deaf });
  const before = await scene.operations();
  scene.ledger.call(key, aPin({ batchHash: 'f'.repeat(64) }));
  await scene.live();
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

test('a nonce that is used and not deep enough yet is not given up', async () => {
  await scene.insert(1);
  await scene.live({ death: { failpoint: 'tx.after-raw-stored', hit: 1 }, between: deaf });
  const [before] = await scene.operations();
  scene.ledger.call(key, aPin({ batchHash: 'f'.repeat(64) }));
  await scene.live({
    between: (chain) => ({ ...chain, count: (of, which) => count(chain, of, which) }),
    untilMs: 15_000,
  });
  expect(await scene.operations()).toMatchObject([{ status: 'Pending', raw: before?.raw, nonce: 0 }]);
  await scene.live();
  expect(await scene.operations()).toMatchObject([{ status: 'Succeeded', nonce: 1 }]);
});

describe('a call whose effect its block has not', () => {
  test('fails once a second receipt names the same block', async () => {
    await scene.insert(1);
    let looks = 0;
    await scene.live({ hasEffect: () => (looks += 1) > 2 });
    expect(looks).toBe(2);
    expect(await scene.operations()).toMatchObject([{ status: 'Failed', error: 'Nothing in block 2.' }]);
  });

  test('succeeds with a receipt of another block, since its first one was replaced', async () => {
    await scene.insert(1);
    const hasEffect = (block: number): boolean => {
      if (block !== 2) return true;
      // The chain replaces the block between the receipt and the look at its logs.
      const gone = scene.ledger.rewind(1);
      scene.ledger.addMember(aMember);
      for (const raw of gone) void scene.ledger.connect({ keys: [] }).submit(raw);
      return false;
    };
    await scene.live({ hasEffect });
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

describe('a call that the chain will never take', () => {
  const greedy = { type: 'contract', to: `0x${'1'.repeat(40)}`, data: '0x', gas: 20_000_000, value: '0' } as const;
  const call = (number: number) => (number === 2 ? greedy : callOf(number));

  test('fails with the reason, and holds up nobody behind it', async () => {
    await scene.insert(5);
    await scene.live({ call });
    expect(await statuses()).toEqual(['Succeeded', 'Failed', 'Succeeded', 'Succeeded', 'Succeeded']);
    expect(scene.mined()).toEqual([1, 3, 4, 5]);
    expect((await scene.operations())[1]).toMatchObject({
      error: expect.stringContaining('20000000 gas'),
      output: null,
    });
  });

  test('its end is written with what follows from it', async () => {
    await scene.insert(2);
    const errors: string[] = [];
    await scene.live({
      call,
      failed: (error) => async () => {
        errors.push(error);
        return [];
      },
    });
    expect(errors).toEqual([expect.stringContaining('20000000 gas')]);
  });

  test.each(['tx.after-filler-stored', 'tx.after-receipt'])('survives a death at %s', async (failpoint) => {
    await scene.insert(5);
    await scene.live({ call, death: { failpoint, hit: 1 } });
    await scene.live({ call });
    expect(await statuses()).toEqual(['Succeeded', 'Failed', 'Succeeded', 'Succeeded', 'Succeeded']);
    expect([...scene.mined()].sort()).toEqual([1, 3, 4, 5]);
    expect(await scene.ledger.connect({ keys: [] }).count(key)).toBe(5);
  });
});

test('a call that is reverted fails with the words that its caller has for it', async () => {
  await scene.insert(1);
  scene.ledger.revertCalls(1);
  await scene.live();
  expect(await scene.operations()).toMatchObject([
    { status: 'Failed', error: 'The chain reverted the call: Refused()', output: null },
  ]);
});

test('deaths, lost replies and another order anywhere leave no gap and no double', async () => {
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
    fc.asyncProperty(lives, fc.constantFrom(0, 0, 1, 2, 5, 9, 14), async (plan, greedyOne) => {
      scene = await openChainScene();
      const call = (number: number) =>
        number === greedyOne
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
        await scene.live({ call, death: each, between: (chain) => slowedDown(chain, each.turns, onRefusal) });
        for (let other = 0; other < each.foreign; other += 1) {
          scene.ledger.call(key, aPin({ batchHash: 'f'.repeat(64) }));
          foreign += 1;
        }
      }
      scene.ledger.loseReplies(0);
      await scene.live({ call, between: (chain) => slowedDown(chain, [0], onRefusal) });
      const expected = Array.from({ length: inserted }, (_, index) => index + 1).filter((each) => each !== greedyOne);
      const own = scene.mined().filter((number) => number <= inserted);
      expect([...own].sort((a, b) => a - b)).toEqual(expected);
      expect(scene.mined()).toHaveLength(expected.length + foreign);
      // To be signed anew is for what others have done; no two operations are ever given one nonce.
      if (foreign === 0 && expected.length === inserted) expect(refusals).toBe(0);
      for (const { status, input } of await scene.operations()) {
        expect(status).toBe(input['number'] === greedyOne ? 'Failed' : 'Succeeded');
      }
    }),
    { numRuns: 60 },
  );
});

/** A chain that nothing reaches that is sent to it. */
function deaf(chain: Blockchain): Blockchain {
  return { ...chain, submit: () => new Promise(() => undefined) };
}

/** Nothing is deep enough. */
function count(chain: Blockchain, of: string, which: 'mined' | 'confirmed' = 'mined'): Promise<number> {
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

test('a call of the network contract fails when it is run, and nothing is signed for it', async () => {
  await scene.insert(2);
  const { network } = scene.ledger.connect({ keys: [] });
  const toNetwork = {
    type: 'contract',
    to: network.toUpperCase().replace('0X', '0x'),
    data: '0x',
    gas: 1,
    value: '0',
  } as const;
  await scene.live({ call: (number) => (number === 1 ? toNetwork : callOf(number)) });
  const [refused, other] = await scene.operations();
  expect(refused).toMatchObject({ status: 'Failed', raw: null, nonce: null, error: expect.stringContaining('PY1503') });
  expect(other).toMatchObject({ status: 'Succeeded' });
});
