import { expect, it } from 'vitest';
import { type PeerAnswer, PeerError } from '../../../src/ports/data-exchange.js';
import { aReceiver } from '../../support/peer-receiver.js';
import type { Scene } from '../data-exchange.js';

const hash = 'a'.repeat(64);

/** The obligations of `request`. */
export function describeRequests(scene: () => Scene): void {
  const answers: PeerAnswer[] = [
    { status: 'stored' },
    { status: 'later', reason: 'not yet' },
    { status: 'refused', reason: 'no such batch' },
  ];
  it.each(answers)('returns the answer to a request for a batch: $status', async (answer) => {
    const { alice, bob, peers } = scene();
    const taken: string[][] = [];
    const receiveRequest = async (sender: string, asked: string) => {
      taken.push([sender, asked]);
      return answer;
    };
    await bob.listen(aReceiver({ receiveRequest }));
    expect(await alice.request(peers.bob, hash)).toEqual(answer);
    expect(taken).toEqual([[peers.alice.publicKeyHash, hash]]);
  });

  it('reports that a peer cannot be reached if it fails to handle a request, or does not listen', async () => {
    const { alice, bob, carol, peers } = scene();
    await bob.listen(aReceiver({ receiveRequest: () => Promise.reject(new Error('disk full')) }));
    await expect(alice.request(peers.bob, hash)).rejects.toThrow(PeerError);
    await carol.close();
    await expect(alice.request(peers.carol, hash)).rejects.toThrow(PeerError);
  });

  it('ends a request with the reason of its signal', async () => {
    const { alice, bob, peers } = scene();
    const ending = new AbortController();
    const receiveRequest = () => {
      ending.abort(new Error('no more'));
      return new Promise<never>(() => undefined);
    };
    await bob.listen(aReceiver({ receiveRequest }));
    await expect(alice.request(peers.bob, hash, ending.signal)).rejects.toThrow('no more');
  });
}
