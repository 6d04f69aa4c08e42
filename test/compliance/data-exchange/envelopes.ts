import { expect, it } from 'vitest';
import { maxEnvelopeBytes } from '../../../src/domain/network/limits.js';
import { type PeerAnswer, PeerError } from '../../../src/ports/data-exchange.js';
import { aGate, aReceiver, aWaitingReceiver } from '../../support/peer-receiver.js';
import type { Scene } from '../data-exchange.js';

/** The obligations of `send`. */
export function describeEnvelopes(scene: () => Scene): void {
  const answers: PeerAnswer[] = [
    { status: 'stored' },
    { status: 'later', reason: 'not yet' },
    { status: 'refused', reason: 'no: "ü" 💬' },
  ];
  it.each(answers)('returns the receiver’s answer: $status', async (answer) => {
    const { alice, bob, peers } = scene();
    await bob.listen(aReceiver({ receiveEnvelope: async () => answer }));
    expect(await alice.send(peers.bob, '{}')).toEqual(answer);
  });

  it('delivers the envelope unchanged, with the sender identified by its key', async () => {
    const { alice, bob, peers } = scene();
    const taken: string[][] = [];
    const receiveEnvelope = async (sender: string, envelope: string) => {
      taken.push([sender, envelope]);
      return { status: 'stored' } as const;
    };
    await bob.listen(aReceiver({ receiveEnvelope }));
    const envelope = '{"text":"ü \\u0000 💬","number":1.50}';
    await alice.send(peers.bob, envelope);
    expect(taken).toEqual([[peers.alice.publicKeyHash, envelope]]);
  });

  it('answers only after the receiver has', async () => {
    const { alice, bob, peers } = scene();
    const order: string[] = [];
    const receiveEnvelope = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('stored');
      return { status: 'stored' } as const;
    };
    await bob.listen(aReceiver({ receiveEnvelope }));
    await alice.send(peers.bob, '{}');
    order.push('answered');
    expect(order).toEqual(['stored', 'answered']);
  });

  it('works in both directions at once', async () => {
    const { alice, bob, peers } = scene();
    await alice.listen(aReceiver({ receiveEnvelope: async () => ({ status: 'later', reason: 'r' }) }));
    await bob.listen(aReceiver());
    const both = await Promise.all([alice.send(peers.bob, '{}'), bob.send(peers.alice, '{}')]);
    expect(both).toEqual([{ status: 'stored' }, { status: 'later', reason: 'r' }]);
  });

  it('a receiver that does not answer delays neither others nor other envelopes to it', async () => {
    const { alice, bob, carol, peers } = scene();
    const gate = aGate();
    const receiveEnvelope = async (_: string, envelope: string) => {
      if (envelope === '"slow"') await gate.passed;
      return { status: 'stored' } as const;
    };
    await bob.listen(aReceiver({ receiveEnvelope }));
    await carol.listen(aReceiver());
    const slow = alice.send(peers.bob, '"slow"');
    expect(await alice.send(peers.carol, '{}')).toEqual({ status: 'stored' });
    expect(await alice.send(peers.bob, '{}')).toEqual({ status: 'stored' });
    gate.open();
    expect(await slow).toEqual({ status: 'stored' });
  });

  it('accepts an envelope at the size limit, and refuses a larger one', async () => {
    const { alice, bob, peers } = scene();
    const sizes: number[] = [];
    const receiveEnvelope = async (_: string, envelope: string) => {
      sizes.push(Buffer.byteLength(envelope));
      return { status: 'stored' } as const;
    };
    await bob.listen(aReceiver({ receiveEnvelope }));
    expect(await alice.send(peers.bob, 'x'.repeat(maxEnvelopeBytes))).toEqual({ status: 'stored' });
    expect(await alice.send(peers.bob, 'x'.repeat(maxEnvelopeBytes + 1))).toMatchObject({ status: 'refused' });
    expect(sizes).toEqual([maxEnvelopeBytes]);
  });

  it('rejects if the peer is not listening', async () => {
    const { alice, peers } = scene();
    await expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
  });

  it('rejects if the receiver fails, and delivers the next attempt', async () => {
    const { alice, bob, peers } = scene();
    let attempts = 0;
    const receiveEnvelope = async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('The disk is full.');
      return { status: 'stored' } as const;
    };
    await bob.listen(aReceiver({ receiveEnvelope }));
    await expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
    expect(await alice.send(peers.bob, '{}')).toEqual({ status: 'stored' });
  });

  it('receives no envelopes after closing, and does again after a restart', async () => {
    const { alice, bob, peers, restart } = scene();
    await bob.listen(aReceiver());
    expect(await alice.send(peers.bob, '{}')).toEqual({ status: 'stored' });
    await bob.close();
    await expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
    await (await restart('bob')).listen(aReceiver());
    expect(await alice.send(peers.bob, '{}')).toEqual({ status: 'stored' });
  });

  it('sends nothing after closing', async () => {
    const { alice, bob, peers } = scene();
    await bob.listen(aReceiver());
    await alice.close();
    await expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
  });

  it('rejects with the reason of the signal, before and while it waits', async () => {
    const { alice, bob, peers } = scene();
    const { receiver, arrived, answer } = aWaitingReceiver();
    await bob.listen(receiver);
    await expect(alice.send(peers.bob, '{}', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
    const stopping = new AbortController();
    const sending = alice.send(peers.bob, '{}', stopping.signal);
    await arrived;
    stopping.abort(new Error('stopped later'));
    await expect(sending).rejects.toThrow('stopped later');
    answer();
  });

  it('a node that closes ends its transfers, even if the other does not answer', async () => {
    const { alice, bob, peers } = scene();
    const { receiver, arrived, answer } = aWaitingReceiver();
    await bob.listen(receiver);
    const sending = alice.send(peers.bob, '{}');
    await arrived;
    const rejected = expect(sending).rejects.toThrow(PeerError);
    await bob.close();
    await rejected;
    answer();
  });
}
