import { expect, it } from 'vitest';
import { PeerError } from '../../../src/ports/data-exchange.js';
import { aBlobReceiver, aReceiver, aWaitingReceiver } from '../../support/peer-receiver.js';
import type { Scene } from '../data-exchange.js';

/** The obligations of `admit`, and that a peer is identified by its key (docs/architecture.md §12.2). */
export function describeAdmission(scene: () => Scene): void {
  /** A receiver that counts what reaches it. */
  function counting() {
    let count = 0;
    const receiveEnvelope = async () => {
      count += 1;
      return { status: 'stored' } as const;
    };
    return { receiver: aReceiver({ receiveEnvelope }), count: () => count };
  }

  it('nothing from a key that is not admitted reaches the receiver', async () => {
    const { alice, bob, carol, peers } = scene();
    const { receiver, count } = counting();
    await bob.listen(receiver);
    bob.admit(new Set([peers.carol.publicKeyHash]));
    await expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
    expect(count()).toBe(0);
    expect(await carol.send(peers.bob, '{}')).toEqual({ status: 'stored' });
  });

  it('a key that is admitted again can connect again', async () => {
    const { alice, bob, peers } = scene();
    await bob.listen(aReceiver());
    bob.admit(new Set());
    await expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
    bob.admit(new Set([peers.alice.publicKeyHash]));
    expect(await alice.send(peers.bob, '{}')).toEqual({ status: 'stored' });
  });

  it("nothing is sent to a node with another key than the registry's, whatever its address", async () => {
    const { alice, bob, carol, peers } = scene();
    const [atBob, atCarol] = [counting(), counting()];
    await bob.listen(atBob.receiver);
    await carol.listen(atCarol.receiver);
    const confused = { publicKeyHash: peers.bob.publicKeyHash, endpoint: peers.carol.endpoint };
    await expect(alice.send(confused, '{"secret":1}')).rejects.toThrow(PeerError);
    expect([atBob.count(), atCarol.count()]).toEqual([0, 0]);
  });

  const withdrawn = ['receiver', 'sender'] as const;
  it.each(withdrawn)('a key that the %s no longer admits loses its connection during an envelope', async (side) => {
    const { alice, bob, peers } = scene();
    const { receiver, arrived, answer } = aWaitingReceiver();
    await bob.listen(receiver);
    const sending = expect(alice.send(peers.bob, '{}')).rejects.toThrow(PeerError);
    await arrived;
    (side === 'receiver' ? bob : alice).admit(new Set([peers.carol.publicKeyHash]));
    await sending;
    answer();
  });

  it.each(withdrawn)('a key that the %s no longer admits loses its connection during a blob', async (side) => {
    const { alice, bob, peers } = scene();
    const receiver = aBlobReceiver();
    await bob.listen(receiver);
    const offer = { hash: 'f'.repeat(64), sizeBytes: 2_000, source: 'e'.repeat(64) };
    async function* read(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(1_000);
      await new Promise(() => undefined);
    }
    const sending = expect(alice.sendBlob(peers.bob, offer, read)).rejects.toThrow(PeerError);
    await receiver.begun;
    (side === 'receiver' ? bob : alice).admit(new Set([peers.carol.publicKeyHash]));
    await sending;
    expect(await receiver.firstEnd).toBe('failed');
  });

  it('peers that stay admitted keep their transfers', async () => {
    const { alice, bob, peers } = scene();
    const { receiver, arrived, answer } = aWaitingReceiver();
    await bob.listen(receiver);
    const sending = alice.send(peers.bob, '{}');
    await arrived;
    bob.admit(new Set([peers.alice.publicKeyHash]));
    answer();
    expect(await sending).toEqual({ status: 'stored' });
  });
}
