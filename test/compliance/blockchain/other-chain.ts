import { describe, expect, it } from 'vitest';
import { hashOf } from './follower.js';
import { type BlockchainUnderTest, createScene } from './scene.js';

export function describeOtherChain(create: () => Promise<BlockchainUnderTest>): void {
  describe('another chain', () => {
    const scene = createScene(create);

    it.each([
      ['genesis', { genesisHash: hashOf(7) }],
      ['contract', { contract: `0x${'7'.repeat(40)}` }],
      ['block hash', { blockHash: hashOf(7) }],
      ['length', { block: 1_000_000 }],
    ])('is noticed by its %s', async (_, difference) => {
      const first = scene.watch(scene.chain);
      await first.untilLogs(1);
      let follows = false;
      const onFollowing = (): void => void (follows = true);
      const other = scene.watch(scene.chain, { after: { ...first.cursor(), ...difference }, onFollowing });
      await expect(other.ended).rejects.toMatchObject({ reason: 'other_chain' });
      expect(other.attempts()).toEqual([]);
      expect(follows).toBe(false);
    });

    it('is distinguished from the one that was read, also when that has nothing new', async () => {
      const first = scene.watch(scene.chain);
      await first.untilLogs(1);
      await first.stop();
      const onFollowing = await new Promise<string>((resolve) => {
        scene.watch(scene.chain, { after: first.cursor(), onFollowing: () => resolve('follows') });
      });
      expect(onFollowing).toBe('follows');
    });

    it('is recognised by the hash of a block that was read, or of later ones alone', async () => {
      await scene.pin(0);
      const first = scene.watch(scene.chain);
      await first.untilPins(1);
      await first.stop();
      const { block, blockHash } = first.cursor();
      const earlier = await scene.chain.blockHash(block - 1);
      expect(await scene.chain.blockHash(block)).toBe(blockHash);
      expect(await scene.chain.blockHash(1_000_000)).toBeUndefined();
      await scene.subject.reorganise();
      expect(await scene.chain.blockHash(block)).not.toBe(blockHash);
      expect(await scene.chain.blockHash(block - 1)).toBe(earlier);
    });

    it('is noticed when the chain was wiped and created again', async () => {
      await scene.pin(0);
      const first = scene.watch(scene.chain);
      await first.untilPins(1);
      const cursor = first.cursor();
      await first.stop();
      await scene.subject.wipe();
      const second = scene.watch(scene.connect(), { after: cursor });
      await expect(second.ended).rejects.toMatchObject({ reason: 'other_chain' });
      expect(second.attempts()).toEqual([]);
    });

    it('is noticed while watching, when blocks that were read are removed', async () => {
      await scene.pin(0);
      const follower = scene.watch(scene.chain);
      await follower.untilPins(1);
      await scene.subject.reorganise();
      await expect(follower.ended).rejects.toMatchObject({ reason: 'other_chain' });
      expect(follower.pins()).toHaveLength(1);
    });

    it('is noticed after a restart, when blocks that were read were removed', async () => {
      await scene.pin(0);
      const first = scene.watch(scene.chain);
      await first.untilPins(1);
      await first.stop();
      await scene.subject.reorganise();
      const second = scene.watch(scene.connect(), { after: first.cursor() });
      await expect(second.ended).rejects.toMatchObject({ reason: 'other_chain' });
    });
  });
}
