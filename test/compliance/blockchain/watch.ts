import { describe, expect, it } from 'vitest';
import type { ContractLog, NetworkLog } from '../../../src/ports/blockchain.js';
import { aPin, hashOf } from './follower.js';
import { type BlockchainUnderTest, createScene } from './scene.js';

export function describeWatch(create: () => Promise<BlockchainUnderTest>): void {
  describe('watch', () => {
    const scene = createScene(create);

    it('reads all fields of a log', async () => {
      await scene.subject.addMember('dora');
      const call = aPin({ contexts: [hashOf(1), hashOf(2), hashOf(1)] });
      const receipt = await scene.pin(0, call);
      const follower = scene.watch(scene.chain);
      await follower.untilPins(1);
      const [first, second, third] = afterCreation(follower.logs());
      expect(first).toMatchObject({ type: 'member_added', organization: 'alice', key: scene.subject.member });
      expect(second).toMatchObject({ type: 'member_added', organization: 'dora', node: 'node-dora' });
      expect(third).toEqual({
        ...call,
        type: 'batch_pin',
        signer: scene.subject.member,
        blockHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        chainId: expect.any(Number),
        transactionHash: receipt.transactionHash,
        position: { block: receipt.block, transactionIndex: 0, logIndex: 0 },
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
    });

    it('reads members and pins in one order, as they are mined', async () => {
      const follower = scene.watch(scene.chain);
      await scene.pin(0);
      await scene.subject.addMember('dora');
      await scene.pin(1);
      await follower.untilPins(2);
      expect(afterCreation(follower.logs()).map(({ type }) => type)).toEqual([
        'member_added',
        'batch_pin',
        'member_added',
        'batch_pin',
      ]);
      follower.expectOrder();
    });

    it('continues after a cursor, without losses or repetitions', async () => {
      for (let nonce = 0; nonce < 3; nonce += 1) await scene.pin(nonce);
      const first = scene.watch(scene.chain);
      await first.untilPins(3);
      await first.stop();
      await scene.pin(3);
      const second = scene.watch(scene.connect(), { after: first.cursor() });
      await scene.pin(4);
      const pins = await second.untilPins(2);
      expect(pins.map(({ batchHash }) => batchHash)).toEqual([hashOf(3), hashOf(4)]);
    });

    it('hands over the same page again until it is accepted, and no other before', async () => {
      const follower = scene.watch(scene.chain, { failures: 3 });
      await scene.pin(0);
      await scene.pin(1);
      await follower.untilPins(2);
      const [first, ...others] = follower.attempts();
      expect(others.slice(0, 3)).toEqual([first, first, first]);
      follower.expectOrder();
    });

    it('hands over one page at a time', async () => {
      let running = 0;
      let most = 0;
      const follower = scene.watch(scene.chain, {
        during: async () => {
          most = Math.max(most, (running += 1));
          await new Promise((resolve) => setTimeout(resolve, 5));
          running -= 1;
        },
      });
      for (let nonce = 0; nonce < 5; nonce += 1) await scene.pin(nonce);
      await follower.untilPins(5);
      expect(most).toBe(1);
      follower.expectOrder();
    });

    it('reads a long history in pages, in order', async () => {
      const contexts = Array.from({ length: 900 }, (_, index) => hashOf(index));
      for (let nonce = 0; nonce < 12; nonce += 1) await scene.pin(nonce, aPin({ contexts, batchHash: hashOf(nonce) }));
      const follower = scene.watch(scene.connect());
      await follower.untilPins(12);
      follower.expectOrder();
    });

    it('serves several watchers equally', async () => {
      const followers = [scene.watch(scene.chain), scene.watch(scene.chain), scene.watch(scene.connect())];
      for (let nonce = 0; nonce < 3; nonce += 1) await scene.pin(nonce);
      for (const follower of followers) await follower.untilPins(3);
      const [first, ...others] = followers.map((follower) => follower.logs());
      for (const other of others) expect(other).toEqual(first);
    });

    it('continues when the chain comes back', async () => {
      const follower = scene.watch(scene.chain);
      await scene.pin(0);
      await follower.untilPins(1);
      await scene.subject.stop();
      await scene.subject.start();
      await scene.pin(1);
      const pins = await follower.untilPins(2);
      expect(pins.map(({ batchHash }) => batchHash)).toEqual([hashOf(0), hashOf(1)]);
      follower.expectOrder();
    });

    it('waits for a chain that is away when it begins', async () => {
      await scene.subject.stop();
      const follower = scene.watch(scene.chain);
      await scene.subject.start();
      await scene.pin(0);
      await follower.untilPins(1);
    });

    it('continues after logs with invalid contents', async () => {
      const contexts = Array.from({ length: 2_000 }, (_, index) => hashOf(index));
      const uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
      await scene.pin(0, aPin({ transactionId: uuid, batchId: uuid, contexts, payloadRef: '../..\n"\\💥 %00' }));
      await scene.pin(1, aPin({ payloadRef: '' }));
      const pins = await scene.watch(scene.chain).untilPins(2);
      expect(pins[0]).toMatchObject({ transactionId: uuid, batchId: uuid, payloadRef: '../..\n"\\💥 %00', contexts });
      expect(pins[1]?.payloadRef).toBe('');
    });

    it('ends when the signal aborts, and hands over nothing more', async () => {
      const follower = scene.watch(scene.chain);
      await scene.pin(0);
      await follower.untilPins(1);
      await follower.stop();
      await scene.pin(1);
      await scene.watch(scene.connect()).untilPins(2);
      expect(follower.pins()).toHaveLength(1);
    });

    it('ends at once if the signal is already aborted', async () => {
      await scene.chain.watch({
        after: undefined,
        selection: () => ({ revision: 0, sources: [] }),
        handler: () => Promise.reject(new Error('not expected')),
        signal: AbortSignal.abort(),
      });
    });

    it('ends when a page is never accepted and the signal aborts', async () => {
      const follower = scene.watch(scene.chain, { failures: Infinity });
      await follower.attempted(1);
      await follower.stop();
    });

    it('ends when the connection is closed', async () => {
      const follower = scene.watch(scene.chain);
      await follower.untilLogs(1);
      await scene.chain.close();
      await follower.ended;
    });
  });
}

/** Leaves out the first log of a contract, about its creation; the rest is the same everywhere. */
function afterCreation<L extends Pick<NetworkLog | ContractLog, 'type'>>(logs: readonly L[]): readonly L[] {
  const [first, ...rest] = logs;
  expect(rest.map(({ type }) => type)).not.toContain('network_created');
  return first?.type === 'network_created' ? rest : logs;
}
