import { describe, expect, it } from 'vitest';
import { ChainError, type LogPage, type NetworkLog } from '../../../src/ports/blockchain.js';
import { aPin, type Follower, hashOf } from './follower.js';
import { type BlockchainUnderTest, createScene } from './scene.js';

export function describeCalls(create: () => Promise<BlockchainUnderTest>): void {
  describe('calls', () => {
    const scene = createScene(create);

    it('returns its keys as addresses in lower case', () => {
      expect(scene.chain.keys).toEqual([scene.subject.member, scene.subject.outsider]);
      expect(scene.subject.member).toMatch(/^0x[0-9a-f]{40}$/);
    });

    it('signs the same bytes for the same arguments, and sends nothing', async () => {
      const signed = await scene.chain.sign(scene.subject.member, 0, aPin());
      expect(await scene.connect().sign(scene.subject.member, 0, aPin())).toEqual(signed);
      expect(signed.raw).toMatch(/^0x[0-9a-f]+$/);
      expect(signed.transactionHash).toMatch(/^[0-9a-f]{64}$/);
      expect(await scene.chain.sign(scene.subject.member, 1, aPin())).not.toEqual(signed);
      expect(await scene.chain.count(scene.subject.member)).toBe(0);
    });

    it('returns the balance of a key', async () => {
      expect(await scene.chain.balance(scene.subject.member)).toBeGreaterThan(0n);
    });

    it('resolves with the receipt when the call is mined, and counts it', async () => {
      const { raw, transactionHash } = await scene.chain.sign(scene.subject.member, 0, aPin());
      const receipt = await scene.chain.submit(raw);
      expect(receipt).toMatchObject({ status: 'success', transactionHash });
      expect(receipt.block).toBe((await scene.chain.status()).head);
      expect(await scene.chain.count(scene.subject.member)).toBe(1);
    });

    it('answers the same bytes with the same receipt, also in the next process, and mines them once', async () => {
      const { raw } = await scene.chain.sign(scene.subject.member, 0, aPin());
      const [first, second] = await Promise.all([scene.chain.submit(raw), scene.chain.submit(raw)]);
      expect(second).toEqual(first);
      await scene.pin(1);
      expect(await scene.connect().submit(raw)).toEqual(first);
      expect(await scene.chain.count(scene.subject.member)).toBe(2);
      const pins = await scene
        .watch(scene.chain)
        .until((logs) => logs.some(({ batchHash }) => batchHash === hashOf(1)));
      expect(pins).toHaveLength(2);
    });

    it('finds the receipt of a call whose reply was lost', async () => {
      const { raw, transactionHash } = await scene.chain.sign(scene.subject.member, 0, aPin());
      await scene.subject.loseReply();
      await expect(scene.chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
      expect(await scene.chain.submit(raw)).toMatchObject({ status: 'success', transactionHash });
      expect(await scene.chain.count(scene.subject.member)).toBe(1);
    });

    it('refuses a call whose nonce another call has used', async () => {
      const { raw } = await scene.chain.sign(scene.subject.member, 0, aPin({ batchHash: hashOf(9) }));
      await scene.pin(0);
      await expect(scene.chain.submit(raw)).rejects.toMatchObject({ reason: 'refused' });
      expect(await scene.chain.count(scene.subject.member)).toBe(1);
    });

    it('refuses bytes that are not a signed call', async () => {
      await expect(scene.chain.submit('0x00')).rejects.toMatchObject({ reason: 'refused' });
      await expect(scene.chain.submit('0x7b7d')).rejects.toMatchObject({ reason: 'refused' });
    });

    it('answers a call of an unregistered key as reverted, with the reason, the same each time', async () => {
      const { raw } = await scene.chain.sign(scene.subject.outsider, 0, aPin());
      const receipt = await scene.chain.submit(raw);
      expect(receipt).toMatchObject({ status: 'reverted', reason: `NotRegistered(${scene.subject.outsider})` });
      expect(await scene.chain.submit(raw)).toEqual(receipt);
      expect(await scene.chain.count(scene.subject.outsider)).toBe(1);
    });

    it.each([0, 2_001])('answers a pin of %i contexts as reverted', async (length) => {
      const contexts = Array.from({ length }, (_, index) => hashOf(index));
      expect(await scene.pin(0, aPin({ contexts }))).toMatchObject({ status: 'reverted' });
    });

    it('keeps calls of one key in the order of their nonces', async () => {
      for (let nonce = 0; nonce < 5; nonce += 1) await scene.pin(nonce);
      const pins = await scene.watch(scene.chain).untilPins(5);
      expect(pins.map(({ batchHash }) => batchHash)).toEqual([0, 1, 2, 3, 4].map(hashOf));
    });

    it('adds a key of a member for a custom identity, and then accepts pins of that key', async () => {
      const { chain, subject } = scene;
      const key = chain.addKey(`0x${'5'.repeat(64)}`);
      expect(chain.addKey(`0x${'5'.repeat(64)}`)).toBe(key);
      expect(chain.keys).toEqual([subject.member, subject.outsider, key]);
      const call = { type: 'add_key', name: 'shop', key } as const;
      const { raw } = await chain.sign(subject.member, 0, call);
      expect((await chain.sign(subject.member, 0, call)).raw).toBe(raw);
      expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
      const [added] = await logsOf(scene.watch(chain), 'key_added');
      expect(added).toMatchObject({ type: 'key_added', organization: 'alice', name: 'shop', key });
      const again = await chain.submit((await chain.sign(subject.member, 1, call)).raw);
      expect(again).toMatchObject({ status: 'reverted', reason: `KeyTaken(${key})` });
    });

    it('adds a key of a member for an organisation below it, which is logged as such', async () => {
      const { chain, subject } = scene;
      const key = chain.addKey(`0x${'6'.repeat(64)}`);
      const call = { type: 'add_key', name: 'daughter', key, isOrganization: true } as const;
      expect(await chain.submit((await chain.sign(subject.member, 0, call)).raw)).toMatchObject({ status: 'success' });
      const [added] = await logsOf(scene.watch(chain), 'key_added');
      expect(added).toMatchObject({ organization: 'alice', name: 'daughter', key, isOrganization: true });
      const again = await chain.submit((await chain.sign(subject.member, 1, call)).raw);
      expect(again).toMatchObject({ status: 'reverted', reason: `KeyTaken(${key})` });
    });

    it('changes the address of a member’s node and its key', async () => {
      const { chain, subject } = scene;
      const call = { type: 'set_node', endpoint: 'https://127.0.0.1:2', publicKeyHash: '7'.repeat(64) } as const;
      await chain.submit((await chain.sign(subject.member, 0, call)).raw);
      const [changed] = await logsOf(scene.watch(chain), 'node_changed');
      const { endpoint, publicKeyHash } = call;
      expect(changed).toMatchObject({ organization: 'alice', endpoint, publicKeyHash });
    });

    it('reverts what only a member may do for all others', async () => {
      const { chain, subject } = scene;
      const { outsider } = subject;
      const calls = [
        { type: 'add_key', name: 'shop', key: outsider },
        { type: 'set_node', endpoint: 'https://127.0.0.1:2', publicKeyHash: '7'.repeat(64) },
      ] as const;
      for (const [nonce, call] of calls.entries()) {
        const receipt = await chain.submit((await chain.sign(outsider, nonce, call)).raw);
        expect(receipt).toMatchObject({ status: 'reverted', reason: `NotMember(${outsider})` });
      }
    });

    it('cannot be reached while the chain is away, and continues with the same bytes', async () => {
      const { raw } = await scene.chain.sign(scene.subject.member, 0, aPin());
      const before = await scene.chain.status();
      await scene.subject.stop();
      await expect(scene.chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
      await expect(scene.chain.count(scene.subject.member)).rejects.toMatchObject({ reason: 'unreachable' });
      await expect(scene.chain.status()).rejects.toMatchObject({ reason: 'unreachable' });
      await scene.subject.start();
      expect(await scene.chain.status()).toEqual(before);
      expect(await scene.chain.submit(raw)).toMatchObject({ status: 'success' });
    });

    it('stays closed', async () => {
      const { raw } = await scene.chain.sign(scene.subject.member, 0, aPin());
      await scene.chain.close();
      await scene.chain.close();
      await expect(scene.chain.submit(raw)).rejects.toBeInstanceOf(ChainError);
      await expect(scene.chain.status()).rejects.toBeInstanceOf(ChainError);
    });
  });
}

/** Returns the logs of one type that a follower has read, once there are any. */
async function logsOf(follower: Follower, type: NetworkLog['type']): Promise<LogPage['logs']> {
  const found = (): LogPage['logs'] => follower.logs().filter((log) => log.type === type);
  await follower.until(() => found().length > 0);
  return found();
}
