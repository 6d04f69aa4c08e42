import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Blockchain, ChainError } from '../../../../../src/ports/blockchain.js';
import { aPin } from '../../../../compliance/blockchain/follower.js';
import { callOf, key, openChainScene } from '../chain-scene.js';

test('mines each call once, for any crashes, lost replies and order of arrival', async () => {
  const failpoint = fc.constantFrom(
    'tx.after-raw-stored',
    'tx.after-receipt',
    'tx.after-signed-anew',
    'tx.after-filler-stored',
    'test.inside-last-unit',
  );
  const run = fc.record({
    failpoint,
    hit: fc.integer({ min: 1, max: 12 }),
    more: fc.integer({ min: 0, max: 12 }),
    lostReplies: fc.integer({ min: 0, max: 6 }),
    foreign: fc.constantFrom(0, 0, 0, 0, 1, 2),
    delays: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 20 }),
  });
  const runs = fc.array(run, { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(runs, fc.constantFrom(0, 0, 1, 2, 5, 9, 14), async (plan, refusedOne) => {
      const scene = await openChainScene();
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
        await scene.runNode({ call, crash: each, wrapChain: (chain) => slowedDown(chain, each.delays, onRefusal) });
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

/** Delays submitted calls by this many turns of the event loop each, in the order of the list. */
function slowedDown(chain: Blockchain, delays: readonly number[], onRefusal: () => void): Blockchain {
  let sent = 0;
  return {
    ...chain,
    async submit(raw) {
      const left = delays[sent++ % delays.length] ?? 0;
      for (let turn = 0; turn < left; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return chain.submit(raw).catch((error: unknown) => {
        if (error instanceof ChainError && error.reason === 'refused') onRefusal();
        throw error;
      });
    },
  };
}
