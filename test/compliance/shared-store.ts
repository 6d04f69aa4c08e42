import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SharedStore } from '../../src/ports/shared-store.js';

export interface SharedStoreUnderTest {
  readonly store: SharedStore;
  dispose(): Promise<void>;
}

const plenty = { maxBytes: 10_000_000 };

/** The obligations of `ports/shared-store.ts`. */
export function describeSharedStore(adapter: string, create: () => Promise<SharedStoreUnderTest>): void {
  describe(`shared store: ${adapter}`, () => {
    let subject: SharedStoreUnderTest;
    let store: SharedStore;
    beforeEach(async () => {
      subject = await create();
      ({ store } = subject);
    });
    afterEach(() => subject.dispose());

    it.each([0, 1, 1_000, 262_144, 262_145, 2_097_152])('returns what was put, %i bytes', async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const name = await store.put(bytes);
      expect(Buffer.from(await store.get(name, plenty)).equals(bytes)).toBe(true);
    });

    it('gives equal bytes the same name, also when put concurrently', async () => {
      const bytes = randomBytes(5_000);
      const names = await Promise.all([store.put(bytes), store.put(bytes), store.put(Buffer.from(bytes))]);
      expect(new Set(names).size).toBe(1);
      expect(await store.put(bytes)).toBe(names[0]);
      expect(Buffer.from(await store.get(names[0] ?? '', plenty)).equals(bytes)).toBe(true);
    });

    it('gives different bytes different names', async () => {
      expect(await store.put(Uint8Array.of(1))).not.toBe(await store.put(Uint8Array.of(2)));
    });

    it('keeps what was put, whatever the caller does with its buffer', async () => {
      const bytes = Buffer.from('content');
      const name = await store.put(bytes);
      bytes.fill(0);
      const got = await store.get(name, plenty);
      got.fill(0);
      expect(Buffer.from(await store.get(name, plenty)).toString()).toBe('content');
    });

    it('answers not_found for a name that was never put', async () => {
      const absent = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
      await expect(store.get(absent, plenty)).rejects.toMatchObject({ reason: 'not_found' });
    });

    it.each(['', '../livez', 'Qm/..', 'a b', '%2e%2e', 'QmYw?x=1', 'http://127.0.0.1:1/', '\0', 'x'.repeat(5_000)])(
      'answers not_found for a reference that is no name: %j',
      async (reference) => {
        await expect(store.get(reference, plenty)).rejects.toMatchObject({ reason: 'not_found' });
      },
    );

    it('answers too_large beyond the limit, and returns content of exactly the limit', async () => {
      const name = await store.put(randomBytes(1_000));
      await expect(store.get(name, { maxBytes: 999 })).rejects.toMatchObject({ reason: 'too_large' });
      expect(await store.get(name, { maxBytes: 1_000 })).toHaveLength(1_000);
    });

    it.each([0, 1, 262_145, 3_000_000])(
      'streams in and out what it also accepts whole, %i bytes',
      async (sizeBytes) => {
        const bytes = randomBytes(sizeBytes);
        const name = await store.putStream(piecesOf(bytes));
        expect(name).toBe(await store.put(bytes));
        expect((await collect(store.getStream(name, { ...plenty, start: 0 }))).equals(bytes)).toBe(true);
      },
    );

    it.each([1, 65_536, 999_999, 1_000_000])('streams from the byte %i on', async (start) => {
      const bytes = randomBytes(1_000_000);
      const name = await store.put(bytes);
      expect((await collect(store.getStream(name, { ...plenty, start }))).equals(bytes.subarray(start))).toBe(true);
    });

    it('applies the limit of a stream to the whole content, wherever it starts', async () => {
      const name = await store.put(randomBytes(1_000));
      const stream = (maxBytes: number, start: number) => collect(store.getStream(name, { maxBytes, start }));
      await expect(stream(999, 0)).rejects.toMatchObject({ reason: 'too_large' });
      await expect(stream(999, 500)).rejects.toMatchObject({ reason: 'too_large' });
      expect(await stream(1_000, 500)).toHaveLength(500);
    });

    it('streams nothing of missing content', async () => {
      for (const absent of ['QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG', '../livez', '']) {
        const stream = collect(store.getStream(absent, { ...plenty, start: 0 }));
        await expect(stream).rejects.toMatchObject({ reason: 'not_found' });
      }
    });

    it('rejects with the error of the given stream, and stores nothing of it', async () => {
      const bytes = randomBytes(600_000);
      await expect(store.putStream(failingAfter(bytes))).rejects.toThrow('the source failed');
      const name = await store.put(bytes);
      expect((await collect(store.getStream(name, { ...plenty, start: 0 }))).equals(bytes)).toBe(true);
    });

    it('ends a stream with the reason of the signal', async () => {
      const name = await store.put(randomBytes(3_000_000));
      const ended = AbortSignal.abort(new Error('stopped'));
      await expect(store.putStream(piecesOf(Buffer.from('bytes')), ended)).rejects.toThrow('stopped');
      const controller = new AbortController();
      const read = async (): Promise<void> => {
        const stream = store.getStream(name, { ...plenty, start: 0, signal: controller.signal });
        for await (const chunk of stream) if (chunk.length > 0) controller.abort(new Error('stopped'));
      };
      await expect(read()).rejects.toThrow('stopped');
    });

    it('lets a reader leave a stream, and answers the next request', async () => {
      const name = await store.put(randomBytes(3_000_000));
      for await (const chunk of store.getStream(name, { ...plenty, start: 0 })) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect(await store.get(name, plenty)).toHaveLength(3_000_000);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const name = await store.put(Uint8Array.of(1));
      const signal = AbortSignal.abort(new Error('stopped'));
      await expect(store.get(name, { ...plenty, signal })).rejects.toThrow('stopped');
    });
  });
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.length; position += 100_000) {
    yield bytes.subarray(position, position + 100_000);
  }
}

async function* failingAfter(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield* piecesOf(bytes);
  throw new Error('the source failed');
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
}
