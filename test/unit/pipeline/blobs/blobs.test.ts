import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryDatabase } from '../../../../src/adapters/database/memory/memory.js';
import { createMemoryFiles } from '../../../../src/adapters/files/memory.js';
import { createSilentLog } from '../../../../src/adapters/log/silent.js';
import { createSeededRandom } from '../../../../src/adapters/random/seeded.js';
import { systemNamespace } from '../../../../src/domain/network/identity.js';
import { pieceBytes } from '../../../../src/pipeline/blobs/pieces.js';
import { BlobDamaged, blobFile, type BlobRange, createBlobs } from '../../../../src/pipeline/blobs/blobs.js';
import { createBus } from '../../../../src/pipeline/bus.js';
import type { Files } from '../../../../src/ports/files.js';

const bytes = Buffer.from(Array.from({ length: 8 * pieceBytes + 9 }, (_, index) => (index * 7919) % 251));
const blob = { hash: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.length };

/** Stores a blob on a disk that counts the bytes read. */
async function aBlob() {
  const memory = createMemoryFiles();
  const database = createMemoryDatabase();
  let readBytes = 0;
  const files: Files = {
    ...memory,
    async *read(name, range) {
      for await (const chunk of memory.read(name, range)) {
        readBytes += chunk.length;
        yield chunk;
      }
    },
  };
  await memory.write(blobFile(blob.hash), [bytes]);
  const created = '2026-01-15T10:00:00.000Z';
  await database.transaction((unit) => unit.insert('blobs', [{ namespace: systemNamespace, ...blob, created }]));
  const parts = { clock: createManualClock(), random: createSeededRandom(1), log: createSilentLog(), bus: createBus() };
  const blobs = createBlobs({ database, files, ...parts, failpoint: { reach: () => Promise.resolve() } });
  const read = async (range?: BlobRange) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of blobs.read(blob, range)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return {
    read,
    blobs,
    damage: (position: number) => memory.damage(blobFile(blob.hash), position),
    /** Returns how many bytes are read from the disk for a part. */
    async costOf(range: BlobRange) {
      const before = readBytes;
      await read(range);
      return readBytes - before;
    },
  };
}

describe('a part of a blob', () => {
  it.each([
    [0, 1],
    [10, 20],
    [pieceBytes - 1, pieceBytes + 1],
    [pieceBytes, 2 * pieceBytes],
    [3, 3 * pieceBytes + 3],
    [8 * pieceBytes, 8 * pieceBytes + 9],
    [bytes.length - 1, bytes.length],
  ])('from %i up to %i has the bytes of that range', async (start, end) => {
    const { read } = await aBlob();
    expect((await read({ start, end })).equals(bytes.subarray(start, end))).toBe(true);
  });

  it('is read after one read of the whole blob; later parts read only their own pieces', async () => {
    const { costOf } = await aBlob();
    expect(await costOf({ start: 5, end: 6 })).toBeGreaterThan(bytes.length);
    expect(await costOf({ start: 5, end: 6 })).toBe(pieceBytes);
    expect(await costOf({ start: pieceBytes - 1, end: pieceBytes + 1 })).toBe(2 * pieceBytes);
  });

  it('is refused if the blob is damaged anywhere before its first read', async () => {
    const { read, damage, blobs } = await aBlob();
    damage(bytes.length - 1);
    await expect(read({ start: 0, end: 1 })).rejects.toThrow(BlobDamaged);
    expect(await blobs.find(blob.hash)).toBeUndefined();
  });

  it('is refused if a piece of it is damaged after the first read, and the blob is removed', async () => {
    const { read, damage, blobs } = await aBlob();
    await read({ start: 0, end: 1 });
    damage(pieceBytes + 7);
    expect(await read({ start: 0, end: 9 })).toHaveLength(9);
    await expect(read({ start: pieceBytes, end: pieceBytes + 1 })).rejects.toThrow(BlobDamaged);
    expect(await blobs.find(blob.hash)).toBeUndefined();
  });
});

describe('a whole blob', () => {
  it('is read completely, and without its last chunk if it is damaged', async () => {
    const { read, blobs, damage } = await aBlob();
    expect((await read()).equals(bytes)).toBe(true);
    damage(0);
    let receivedBytes = 0;
    const receive = async () => {
      for await (const chunk of blobs.read(blob)) receivedBytes += chunk.length;
    };
    await expect(receive()).rejects.toThrow(BlobDamaged);
    expect(receivedBytes).toBeLessThan(bytes.length);
  });
});
