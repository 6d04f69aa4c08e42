import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PeerError } from '../../../../src/ports/data-exchange.js';
import { aBlobReceiver } from '../../../support/peer-receiver.js';
import { hashOf, openCutter, openEnd, portOf } from './open-exchange.js';

const sizeBytes = 3_000_000;
const maxAttempts = 200;

test('a blob whose connection is cut repeatedly, anywhere, arrives whole, and no byte is sent twice', async () => {
  const bytes = randomBytes(sizeBytes);
  const offer = { hash: createHash('sha256').update(bytes).digest('hex'), sizeBytes, source: '5'.repeat(64) };
  async function* read(start: number): AsyncGenerator<Uint8Array> {
    for (let at = start; at < sizeBytes; at += 65_536) yield bytes.subarray(at, at + 65_536);
  }
  const alice = await openEnd('alice');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 3_000, max: sizeBytes }), { maxLength: 10 }), async (cuts) => {
      const receiver = aBlobReceiver();
      const bob = await openEnd('bob', receiver);
      const cutter = await openCutter(portOf(bob));
      const peer = { publicKeyHash: hashOf('bob'), endpoint: `https://127.0.0.1:${cutter.port}` };
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        cutter.cutAfter(cuts[attempt] ?? Infinity);
        try {
          expect(await alice.sendBlob(peer, offer, read)).toEqual({ status: 'stored' });
          break;
        } catch (error) {
          expect(error).toBeInstanceOf(PeerError);
          await receiver.idle();
        }
      }
      expect(receiver.bytes().equals(bytes)).toBe(true);
      expect([...receiver.starts].sort((a, b) => a - b)).toEqual(receiver.starts);
      await bob.close();
    }),
    { numRuns: 10 },
  );
});
