import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Blockchain, ChainError, type PinCall } from '../../src/ports/blockchain.js';
import { aPin, type Follower, follow } from './blockchain-follower.js';

export interface BlockchainUnderTest {
  /** A key of the member `alice`, and one that nobody has registered. Every connection signs for both. */
  readonly member: string;
  readonly outsider: string;
  /** The way of one node. */
  connect(): Blockchain;
  /** The operator adds one more member. */
  addMember(organization: string): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** The next call that is submitted is mined, and its sender does not learn of it. */
  loseReply(): Promise<void>;
  /** Another chain stands where this one was: what connects from now on meets it. */
  wipe(): Promise<void>;
  /** Takes the last block away, as a reorganisation does; there may be another one in its place. */
  reorganise(): Promise<void>;
  dispose(): Promise<void>;
}

/** The obligations of `ports/blockchain.ts`. */
export function describeBlockchain(adapter: string, create: () => Promise<BlockchainUnderTest>): void {
  describe(`blockchain: ${adapter}`, () => {
    let subject: BlockchainUnderTest;
    let chain: Blockchain;
    const opened: Blockchain[] = [];
    const followers: Follower[] = [];

    function connect(): Blockchain {
      const blockchain = subject.connect();
      opened.push(blockchain);
      return blockchain;
    }

    const watch: typeof follow = (...options) => {
      const follower = follow(...options);
      followers.push(follower);
      return follower;
    };

    async function pin(nonce: number, call: PinCall = aPin({ batchHash: hashOf(nonce) }), key = subject.member) {
      return chain.submit((await chain.sign(key, nonce, call)).raw);
    }

    beforeEach(async () => {
      subject = await create();
      chain = connect();
    });
    afterEach(async () => {
      for (const follower of followers.splice(0)) await follower.stop();
      for (const blockchain of opened.splice(0)) await blockchain.close();
      await subject.dispose();
    });

    describe('calls', () => {
      it('knows its keys as addresses in lower case', () => {
        expect(chain.keys).toEqual([subject.member, subject.outsider]);
        expect(subject.member).toMatch(/^0x[0-9a-f]{40}$/);
      });

      it('signs the same bytes for the same arguments, and sends nothing', async () => {
        const signed = await chain.sign(subject.member, 0, aPin());
        expect(await connect().sign(subject.member, 0, aPin())).toEqual(signed);
        expect(signed.raw).toMatch(/^0x[0-9a-f]+$/);
        expect(signed.transactionHash).toMatch(/^[0-9a-f]{64}$/);
        expect(await chain.sign(subject.member, 1, aPin())).not.toEqual(signed);
        expect(await chain.count(subject.member)).toBe(0);
      });

      it('resolves with the receipt when the call is mined, and counts it', async () => {
        const { raw, transactionHash } = await chain.sign(subject.member, 0, aPin());
        const receipt = await chain.submit(raw);
        expect(receipt).toMatchObject({ status: 'success', transactionHash });
        expect(receipt.block).toBe((await chain.status()).head);
        expect(await chain.count(subject.member)).toBe(1);
      });

      it('answers the same bytes with the same receipt, also to the next process, and mines them once', async () => {
        const { raw } = await chain.sign(subject.member, 0, aPin());
        const [first, second] = await Promise.all([chain.submit(raw), chain.submit(raw)]);
        expect(second).toEqual(first);
        await pin(1);
        expect(await connect().submit(raw)).toEqual(first);
        expect(await chain.count(subject.member)).toBe(2);
        const pins = await watch(chain).until((logs) => logs.some(({ batchHash }) => batchHash === hashOf(1)));
        expect(pins).toHaveLength(2);
      });

      it('finds the receipt of a call whose reply was lost', async () => {
        const { raw, transactionHash } = await chain.sign(subject.member, 0, aPin());
        await subject.loseReply();
        await expect(chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
        expect(await chain.submit(raw)).toMatchObject({ status: 'success', transactionHash });
        expect(await chain.count(subject.member)).toBe(1);
      });

      it('refuses a call whose nonce another one has used', async () => {
        const { raw } = await chain.sign(subject.member, 0, aPin({ batchHash: hashOf(9) }));
        await pin(0);
        await expect(chain.submit(raw)).rejects.toMatchObject({ reason: 'refused' });
        expect(await chain.count(subject.member)).toBe(1);
      });

      it('refuses bytes that are no signed call', async () => {
        await expect(chain.submit('0x00')).rejects.toMatchObject({ reason: 'refused' });
        await expect(chain.submit('0x7b7d')).rejects.toMatchObject({ reason: 'refused' });
      });

      it('answers a call of a key that is not registered as reverted, with the reason, the same each time', async () => {
        const { raw } = await chain.sign(subject.outsider, 0, aPin());
        const receipt = await chain.submit(raw);
        expect(receipt).toMatchObject({ status: 'reverted', reason: `NotRegistered(${subject.outsider})` });
        expect(await chain.submit(raw)).toEqual(receipt);
        expect(await chain.count(subject.outsider)).toBe(1);
      });

      it.each([0, 2_001])('answers a pin of %i contexts as reverted', async (length) => {
        const contexts = Array.from({ length }, (_, index) => hashOf(index));
        expect(await pin(0, aPin({ contexts }))).toMatchObject({ status: 'reverted' });
      });

      it('keeps calls of one key in the order of their nonces', async () => {
        for (let nonce = 0; nonce < 5; nonce += 1) await pin(nonce);
        const pins = await watch(chain).untilPins(5);
        expect(pins.map(({ batchHash }) => batchHash)).toEqual([0, 1, 2, 3, 4].map(hashOf));
      });

      it('cannot be reached while the chain is away, and goes on with the same bytes', async () => {
        const { raw } = await chain.sign(subject.member, 0, aPin());
        const before = await chain.status();
        await subject.stop();
        await expect(chain.submit(raw)).rejects.toMatchObject({ reason: 'unreachable' });
        await expect(chain.count(subject.member)).rejects.toMatchObject({ reason: 'unreachable' });
        await expect(chain.status()).rejects.toMatchObject({ reason: 'unreachable' });
        await subject.start();
        expect(await chain.status()).toEqual(before);
        expect(await chain.submit(raw)).toMatchObject({ status: 'success' });
      });

      it('is closed for good', async () => {
        const { raw } = await chain.sign(subject.member, 0, aPin());
        await chain.close();
        await chain.close();
        await expect(chain.submit(raw)).rejects.toBeInstanceOf(ChainError);
        await expect(chain.status()).rejects.toBeInstanceOf(ChainError);
      });
    });

    describe('watch', () => {
      it('brings everything a log says', async () => {
        await subject.addMember('dora');
        const call = aPin({ contexts: [hashOf(1), hashOf(2), hashOf(1)] });
        const receipt = await pin(0, call);
        const follower = watch(chain);
        await follower.untilPins(1);
        const [first, second, third] = follower.logs();
        expect(first).toMatchObject({ type: 'member_added', organization: 'alice', key: subject.member });
        expect(second).toMatchObject({ type: 'member_added', organization: 'dora', node: 'node-dora' });
        expect(third).toEqual({
          ...call,
          type: 'batch_pin',
          signer: subject.member,
          transactionHash: receipt.transactionHash,
          position: { block: receipt.block, transactionIndex: 0, logIndex: 0 },
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        });
      });

      it('brings members and pins in one order, as they are mined', async () => {
        const follower = watch(chain);
        await pin(0);
        await subject.addMember('dora');
        await pin(1);
        await follower.untilPins(2);
        expect(follower.logs().map(({ type }) => type)).toEqual([
          'member_added',
          'batch_pin',
          'member_added',
          'batch_pin',
        ]);
        follower.expectOrder();
      });

      it('goes on after a cursor, without loss or repetition', async () => {
        for (let nonce = 0; nonce < 3; nonce += 1) await pin(nonce);
        const first = watch(chain);
        await first.untilPins(3);
        await first.stop();
        await pin(3);
        const second = watch(connect(), { after: first.cursor() });
        await pin(4);
        const pins = await second.untilPins(2);
        expect(pins.map(({ batchHash }) => batchHash)).toEqual([hashOf(3), hashOf(4)]);
      });

      it('hands the same page over again until it is taken, and no other one before', async () => {
        const follower = watch(chain, { failures: 3 });
        await pin(0);
        await pin(1);
        await follower.untilPins(2);
        const [first, ...others] = follower.attempts();
        expect(others.slice(0, 3)).toEqual([first, first, first]);
        follower.expectOrder();
      });

      it('hands over one page at a time', async () => {
        let running = 0;
        let most = 0;
        const follower = watch(chain, {
          during: async () => {
            most = Math.max(most, (running += 1));
            await new Promise((resolve) => setTimeout(resolve, 5));
            running -= 1;
          },
        });
        for (let nonce = 0; nonce < 5; nonce += 1) await pin(nonce);
        await follower.untilPins(5);
        expect(most).toBe(1);
        follower.expectOrder();
      });

      it('gives a long history in pages, in order', async () => {
        const contexts = Array.from({ length: 900 }, (_, index) => hashOf(index));
        for (let nonce = 0; nonce < 12; nonce += 1) await pin(nonce, aPin({ contexts, batchHash: hashOf(nonce) }));
        const follower = watch(connect());
        await follower.untilPins(12);
        follower.expectOrder();
      });

      it('serves several watchers alike', async () => {
        const followers = [watch(chain), watch(chain), watch(connect())];
        for (let nonce = 0; nonce < 3; nonce += 1) await pin(nonce);
        for (const follower of followers) await follower.untilPins(3);
        const [first, ...others] = followers.map((follower) => follower.logs());
        for (const other of others) expect(other).toEqual(first);
      });

      it('goes on when the chain comes back', async () => {
        const follower = watch(chain);
        await pin(0);
        await follower.untilPins(1);
        await subject.stop();
        await subject.start();
        await pin(1);
        const pins = await follower.untilPins(2);
        expect(pins.map(({ batchHash }) => batchHash)).toEqual([hashOf(0), hashOf(1)]);
        follower.expectOrder();
      });

      it('waits for a chain that is away when it begins', async () => {
        await subject.stop();
        const follower = watch(chain);
        await subject.start();
        await pin(0);
        await follower.untilPins(1);
      });

      it('reads on where the wildest contents stand', async () => {
        const contexts = Array.from({ length: 2_000 }, (_, index) => hashOf(index));
        const uuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
        await pin(0, aPin({ transactionId: uuid, batchId: uuid, contexts, payloadRef: '../..\n"\\💥 %00' }));
        await pin(1, aPin({ payloadRef: '' }));
        const pins = await watch(chain).untilPins(2);
        expect(pins[0]).toMatchObject({ transactionId: uuid, batchId: uuid, payloadRef: '../..\n"\\💥 %00', contexts });
        expect(pins[1]?.payloadRef).toBe('');
      });

      it('ends when the signal aborts, and hands over nothing more', async () => {
        const follower = watch(chain);
        await pin(0);
        await follower.untilPins(1);
        await follower.stop();
        await pin(1);
        await watch(connect()).untilPins(2);
        expect(follower.pins()).toHaveLength(1);
      });

      it('ends at once when the signal has aborted already', async () => {
        await chain.watch(undefined, () => Promise.reject(new Error('not expected')), AbortSignal.abort());
      });

      it('ends when a page is never taken and the signal aborts', async () => {
        const follower = watch(chain, { failures: Infinity });
        await follower.attempted(1);
        await follower.stop();
      });

      it('ends when the connection is closed', async () => {
        const follower = watch(chain);
        await follower.untilLogs(1);
        await chain.close();
        await follower.ended;
      });
    });

    describe('another chain', () => {
      it.each([
        ['genesis', { genesisHash: hashOf(7) }],
        ['contract', { contract: `0x${'7'.repeat(40)}` }],
        ['block hash', { blockHash: hashOf(7) }],
        ['length', { block: 1_000_000 }],
      ])('is noticed by its %s', async (_, difference) => {
        const first = watch(chain);
        await first.untilLogs(1);
        const other = watch(chain, { after: { ...first.cursor(), ...difference } });
        await expect(other.ended).rejects.toMatchObject({ reason: 'other_chain' });
        expect(other.attempts()).toEqual([]);
      });

      it('is noticed when the chain was wiped and made anew', async () => {
        await pin(0);
        const first = watch(chain);
        await first.untilPins(1);
        const cursor = first.cursor();
        await first.stop();
        await subject.wipe();
        const second = watch(connect(), { after: cursor });
        await expect(second.ended).rejects.toMatchObject({ reason: 'other_chain' });
        expect(second.attempts()).toEqual([]);
      });

      it('is noticed while watching, when what was read is taken back', async () => {
        await pin(0);
        const follower = watch(chain);
        await follower.untilPins(1);
        await subject.reorganise();
        await expect(follower.ended).rejects.toMatchObject({ reason: 'other_chain' });
        expect(follower.pins()).toHaveLength(1);
      });

      it('is noticed after a restart, when what was read was taken back', async () => {
        await pin(0);
        const first = watch(chain);
        await first.untilPins(1);
        await first.stop();
        await subject.reorganise();
        const second = watch(connect(), { after: first.cursor() });
        await expect(second.ended).rejects.toMatchObject({ reason: 'other_chain' });
      });
    });
  });
}

export function hashOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}
