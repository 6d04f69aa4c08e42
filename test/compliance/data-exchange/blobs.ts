import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { type BlobOffer, PeerError, type PeerReceiver } from '../../../src/ports/data-exchange.js';
import { aBlobReceiver, aGate, aReceiver } from '../../support/peer-receiver.js';
import type { Scene } from '../data-exchange.js';

const chunkBytes = 65_536;

function offerOf(bytes: Buffer): BlobOffer {
  const hash = createHash('sha256').update(bytes).digest('hex');
  return { hash, sizeBytes: bytes.length, source: '5'.repeat(64) };
}

/** Reads in chunks, like a file. */
function reader(bytes: Buffer): (start: number) => AsyncIterable<Uint8Array> {
  return async function* (start) {
    for (let position = start; position < bytes.length; position += chunkBytes) {
      yield bytes.subarray(position, position + chunkBytes);
    }
  };
}

/** The obligations of `sendBlob`. */
export function describeBlobs(scene: () => Scene): void {
  it.each([0, 1, chunkBytes, 1_000_000])('sends a blob of %i bytes', async (sizeBytes) => {
    const { alice, bob, peers } = scene();
    const receiver = aBlobReceiver();
    await bob.listen(receiver);
    const bytes = randomBytes(sizeBytes);
    expect(await alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes))).toEqual({ status: 'stored' });
    expect(receiver.bytes().equals(bytes)).toBe(true);
    expect(receiver.starts).toEqual([0]);
  });

  it('reports sender, blob and recipient before and with the bytes', async () => {
    const { alice, bob, peers } = scene();
    const heard: [string, BlobOffer][] = [];
    await bob.listen({
      ...aReceiver(),
      async offerBlob(sender, offer) {
        heard.push([sender, offer]);
        return { status: 'wanted', start: 0 };
      },
      async receiveBlob(sender, offer, _, bytes) {
        heard.push([sender, offer]);
        for await (const chunk of bytes) void chunk;
        return { status: 'stored' };
      },
    });
    const bytes = randomBytes(10);
    await alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes));
    const expected = [peers.alice.publicKeyHash, offerOf(bytes)];
    expect(heard).toEqual([expected, expected]);
  });

  const answers = [{ status: 'stored' }, { status: 'later', reason: 'l' }, { status: 'refused', reason: 'r' }] as const;
  it.each(answers)('reads nothing of a blob that is not wanted: $status', async (answer) => {
    const { alice, bob, peers } = scene();
    await bob.listen(aReceiver({ offerBlob: async () => answer }));
    let hasRead = false;
    const read = (start: number) => {
      hasRead = true;
      return reader(randomBytes(10))(start);
    };
    expect(await alice.sendBlob(peers.bob, offerOf(randomBytes(10)), read)).toEqual(answer);
    expect(hasRead).toBe(false);
  });

  it("continues at the receiver's position", async () => {
    const { alice, bob, peers } = scene();
    const receiver = aBlobReceiver();
    await bob.listen(receiver);
    const bytes = randomBytes(500_000);
    const cut = cutAt(bytes, 200_000);
    await expect(alice.sendBlob(peers.bob, offerOf(bytes), cut)).rejects.toThrow('the line is dead');
    expect(await receiver.firstEnd).toBe('failed');
    const keptBytes = receiver.bytes().length;
    expect(keptBytes).toBeLessThanOrEqual(200_000);
    expect(await alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes))).toEqual({ status: 'stored' });
    expect(receiver.starts.at(-1)).toBe(keptBytes);
    expect(receiver.bytes().equals(bytes)).toBe(true);
  });

  it('requests no bytes again if the receiver has all of them', async () => {
    const { alice, bob, peers } = scene();
    const bytes = randomBytes(1_000);
    const starts: number[] = [];
    const receiveBlob: PeerReceiver['receiveBlob'] = async (_, __, start, rest) => {
      for await (const chunk of rest) expect(chunk.byteLength).toBe(0);
      starts.push(start);
      return { status: 'stored' };
    };
    await bob.listen(aReceiver({ offerBlob: async () => ({ status: 'wanted', start: 1_000 }), receiveBlob }));
    expect(await alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes))).toEqual({ status: 'stored' });
    expect(starts).toEqual([1_000]);
  });

  it.each([
    ['fewer', 299_999],
    ['more', 300_001],
  ])('rejects, and so do the bytes at the receiver, when there are %s than were offered', async (_, sizeBytes) => {
    const { alice, bob, peers } = scene();
    const receiver = aBlobReceiver();
    await bob.listen(receiver);
    const offer = offerOf(randomBytes(300_000));
    await expect(alice.sendBlob(peers.bob, offer, reader(randomBytes(sizeBytes)))).rejects.toThrow(PeerError);
    expect(await receiver.firstEnd).toBe('failed');
  });

  it('rejects with the error of the sender’s own file', async () => {
    const { alice, bob, peers } = scene();
    const receiver = aBlobReceiver();
    await bob.listen(receiver);
    const bytes = randomBytes(300_000);
    await expect(alice.sendBlob(peers.bob, offerOf(bytes), cutAt(bytes, 100_000))).rejects.toThrow('the line is dead');
    expect(await receiver.firstEnd).toBe('failed');
  });

  it('returns an answer that is given before all bytes have arrived', async () => {
    const { alice, bob, peers } = scene();
    const receiveBlob: PeerReceiver['receiveBlob'] = async (_, __, ___, bytes) => {
      for await (const chunk of bytes) if (chunk.byteLength > 0) break;
      return { status: 'later', reason: 'the disk is full' };
    };
    await bob.listen(aReceiver({ offerBlob: async () => ({ status: 'wanted', start: 0 }), receiveBlob }));
    const bytes = randomBytes(20_000_000);
    const answer = await alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes));
    expect(answer).toEqual({ status: 'later', reason: 'the disk is full' });
  });

  it('rejects when the receiver fails while it reads', async () => {
    const { alice, bob, peers } = scene();
    const receiveBlob = async () => {
      throw new Error('The disk is gone.');
    };
    await bob.listen(aReceiver({ offerBlob: async () => ({ status: 'wanted', start: 0 }), receiveBlob }));
    const bytes = randomBytes(1_000);
    await expect(alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes))).rejects.toThrow(PeerError);
  });

  it.each([-1, 0.5, 1_001])('rejects when the receiver wants to continue at %d of 1000 bytes', async (start) => {
    const { alice, bob, peers } = scene();
    await bob.listen(aReceiver({ offerBlob: async () => ({ status: 'wanted', start }) }));
    const bytes = randomBytes(1_000);
    await expect(alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes))).rejects.toThrow(PeerError);
  });

  it('ends with the signal, on both sides', async () => {
    const { alice, bob, peers } = scene();
    const receiver = aBlobReceiver();
    await bob.listen(receiver);
    const stopping = new AbortController();
    async function* read(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(1_000);
      await new Promise(() => undefined);
    }
    const offer = { ...offerOf(Buffer.alloc(2_000)), sizeBytes: 2_000 };
    const sending = expect(alice.sendBlob(peers.bob, offer, read, stopping.signal)).rejects.toThrow('stopped');
    await receiver.begun;
    stopping.abort(new Error('stopped'));
    await sending;
    expect(await receiver.firstEnd).toBe('failed');
  });

  it('envelopes do not wait for blobs', async () => {
    const { alice, bob, peers } = scene();
    const gate = aGate();
    const bytes = randomBytes(5_000_000);
    const receiveBlob: PeerReceiver['receiveBlob'] = async (_, __, ___, stream) => {
      await gate.passed;
      for await (const chunk of stream) void chunk;
      return { status: 'stored' };
    };
    const offerBlob = async () => ({ status: 'wanted', start: 0 }) as const;
    await bob.listen(aReceiver({ offerBlob, receiveBlob }));
    const blobs = [0, 1, 2].map(() => alice.sendBlob(peers.bob, offerOf(bytes), reader(bytes)));
    expect(await alice.send(peers.bob, '{}')).toEqual({ status: 'stored' });
    gate.open();
    for (const blob of blobs) expect(await blob).toEqual({ status: 'stored' });
  });

  it('reads no faster than the receiver does', async () => {
    const { alice, bob, peers } = scene();
    const sizeBytes = 64 * 1_048_576;
    let [readBytes, takenBytes, maxAheadBytes] = [0, 0, 0];
    async function* read(): AsyncGenerator<Uint8Array> {
      const chunk = Buffer.alloc(262_144);
      for (; readBytes < sizeBytes; readBytes += chunk.length) {
        maxAheadBytes = Math.max(maxAheadBytes, readBytes - takenBytes);
        yield chunk;
      }
    }
    const receiveBlob: PeerReceiver['receiveBlob'] = async (_, __, ___, bytes) => {
      for await (const chunk of bytes) {
        takenBytes += chunk.byteLength;
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { status: 'stored' };
    };
    await bob.listen(aReceiver({ offerBlob: async () => ({ status: 'wanted', start: 0 }), receiveBlob }));
    const offer = { hash: 'f'.repeat(64), sizeBytes, source: '5'.repeat(64) };
    expect(await alice.sendBlob(peers.bob, offer, read)).toEqual({ status: 'stored' });
    // The system's buffers for a connection count too.
    expect(maxAheadBytes).toBeLessThan(24 * 1_048_576);
  });
}

function cutAt(bytes: Buffer, position: number): (start: number) => AsyncIterable<Uint8Array> {
  return async function* (start) {
    yield* reader(bytes.subarray(0, position))(start);
    throw new Error('the line is dead');
  };
}
