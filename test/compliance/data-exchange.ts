import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DataExchange, EnvelopeAnswer } from '../../src/ports/data-exchange.js';

export interface DataExchangeUnderTest {
  /** Two peers' public-key hashes. */
  readonly alice: string;
  readonly bob: string;
  /** The end of a peer; a later one of the same peer is that peer after a restart. */
  connect(peer: string): DataExchange;
  dispose(): Promise<void>;
}

/** The obligations of `ports/data-exchange.ts`. */
export function describeDataExchange(adapter: string, create: () => Promise<DataExchangeUnderTest>): void {
  describe(`data exchange: ${adapter}`, () => {
    let subject: DataExchangeUnderTest;
    let alice: DataExchange;
    let bob: DataExchange;
    beforeEach(async () => {
      subject = await create();
      alice = subject.connect(subject.alice);
      bob = subject.connect(subject.bob);
    });
    afterEach(async () => {
      await alice.close();
      await bob.close();
      await subject.dispose();
    });

    const answers: EnvelopeAnswer[] = [{ status: 'stored' }, { status: 'later' }, { status: 'refused', reason: 'no' }];
    it.each(answers)('brings the receiver’s answer back: $status', async (answer) => {
      await bob.listen(async () => answer);
      expect(await alice.send(subject.bob, '{}')).toEqual(answer);
    });

    it('hands over the envelope unchanged, with the sender known by its key', async () => {
      const taken: string[][] = [];
      await bob.listen(async (peer, envelope) => {
        taken.push([peer, envelope]);
        return { status: 'stored' };
      });
      const envelope = '{"text":"ü \\u0000 💬","number":1.50}';
      await alice.send(subject.bob, envelope);
      expect(taken).toEqual([[subject.alice, envelope]]);
    });

    it('answers only when the receiver has', async () => {
      const order: string[] = [];
      await bob.listen(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push('stored');
        return { status: 'stored' };
      });
      await alice.send(subject.bob, '{}');
      order.push('answered');
      expect(order).toEqual(['stored', 'answered']);
    });

    it('works in both directions at once', async () => {
      await alice.listen(async () => ({ status: 'later' }));
      await bob.listen(async () => ({ status: 'stored' }));
      const both = await Promise.all([alice.send(subject.bob, '{}'), bob.send(subject.alice, '{}')]);
      expect(both).toEqual([{ status: 'stored' }, { status: 'later' }]);
    });

    it('rejects when nobody listens', async () => {
      await expect(alice.send(subject.bob, '{}')).rejects.toThrow(Error);
    });

    it('rejects when the receiver fails, and delivers the next attempt', async () => {
      let attempts = 0;
      await bob.listen(async () => {
        attempts += 1;
        if (attempts === 1) throw new Error('The disk is full.');
        return { status: 'stored' };
      });
      await expect(alice.send(subject.bob, '{}')).rejects.toThrow(Error);
      expect(await alice.send(subject.bob, '{}')).toEqual({ status: 'stored' });
    });

    it('takes no more envelopes after the end, and those of a restarted peer again', async () => {
      await bob.listen(async () => ({ status: 'later' }));
      await bob.close();
      await expect(alice.send(subject.bob, '{}')).rejects.toThrow(Error);
      bob = subject.connect(subject.bob);
      await bob.listen(async () => ({ status: 'stored' }));
      expect(await alice.send(subject.bob, '{}')).toEqual({ status: 'stored' });
    });

    it('sends nothing after the end', async () => {
      await bob.listen(async () => ({ status: 'stored' }));
      await alice.close();
      await expect(alice.send(subject.bob, '{}')).rejects.toThrow(Error);
    });
  });
}
