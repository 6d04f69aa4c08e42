import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createArmedFailpoint } from '../../../../src/adapters/failpoint/armed.js';
import { createManualClock } from '../../../../src/adapters/clock/manual.js';
import { createMemoryFiles, type MemoryFiles } from '../../../../src/adapters/files/memory.js';
import { createAdder } from '../../../../src/sharedstore/content/add.js';
import { digestOf } from '../../../../src/sharedstore/content/cid.js';
import { createContent, DamagedContent, type Stored } from '../../../../src/sharedstore/content/content.js';
import { leafBytes } from '../../../../src/sharedstore/content/tree.js';

/** How long a content is also kept in memory. */
const recentMs = 10_000;

interface Shelf {
  readonly files: MemoryFiles;
  addNow(bytes: Uint8Array): Promise<string>;
  /** Adds bytes so long ago that they are only in a file. */
  add(bytes: Uint8Array): Promise<string>;
  find(cid: string): Promise<Stored | undefined>;
  /** The whole content, or a range of it. */
  read(cid: string, start?: number, end?: number): Promise<Buffer>;
  removeDrafts(): Promise<void>;
}

function createShelf(files = createMemoryFiles(), failpoints?: string): Shelf {
  const clock = createManualClock();
  const content = createContent({ files, clock });
  const adder = createAdder({ files, content, failpoint: createArmedFailpoint(failpoints) });
  const addNow = async (bytes: Uint8Array) => (await adder(asStream(bytes))).cid;
  const find = (cid: string): Promise<Stored | undefined> => content.find(digestOf(cid) ?? Buffer.alloc(32));
  return {
    files,
    find,
    addNow,
    async add(bytes) {
      const cid = await addNow(bytes);
      await clock.advance(recentMs);
      return cid;
    },
    async read(cid, start = 0, end = Infinity) {
      const stored = await find(cid);
      const chunks: Uint8Array[] = [];
      for await (const chunk of stored?.read(start, Math.min(end, stored.sizeBytes)) ?? []) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    removeDrafts: () => content.removeDrafts(),
  };
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += 60_000) yield bytes.subarray(start, start + 60_000);
}

const sizeBytes = 3 * leafBytes + 1_000;

describe('content at rest', () => {
  it('is read whole and in any part', async () => {
    const shelf = createShelf();
    const bytes = randomBytes(sizeBytes);
    const cid = await shelf.add(bytes);
    expect((await shelf.read(cid)).equals(bytes)).toBe(true);
    expect(
      (await shelf.read(cid, leafBytes - 1, 2 * leafBytes + 1)).equals(
        bytes.subarray(leafBytes - 1, 2 * leafBytes + 1),
      ),
    ).toBe(true);
  });

  it('is never returned with a changed byte', async () => {
    for (const position of [0, leafBytes - 1, leafBytes, 2 * leafBytes + 77, sizeBytes - 1]) {
      const shelf = createShelf();
      const bytes = randomBytes(sizeBytes);
      const cid = await shelf.add(bytes);
      shelf.files.damage(`content/${cid}`, position);
      await expect(shelf.read(cid)).rejects.toBeInstanceOf(DamagedContent);
      await expect(shelf.read(cid, position, position + 1)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('is returned as far as its blocks are intact', async () => {
    const shelf = createShelf();
    const bytes = randomBytes(sizeBytes);
    const cid = await shelf.add(bytes);
    shelf.files.damage(`content/${cid}`, 10);
    expect((await shelf.read(cid, leafBytes, sizeBytes)).equals(bytes.subarray(leafBytes))).toBe(true);
  });

  it('is never returned if it has become shorter or longer', async () => {
    for (const newBytes of [0, 1, leafBytes, sizeBytes - 1, sizeBytes + 1]) {
      const shelf = createShelf();
      const cid = await shelf.add(randomBytes(sizeBytes));
      await shelf.files.truncate(`content/${cid}`, newBytes);
      await expect(shelf.read(cid, 0, 1)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('is never returned if it becomes shorter while it is read', async () => {
    const shelf = createShelf();
    const cid = await shelf.add(randomBytes(sizeBytes));
    const stored = await shelf.find(cid);
    await shelf.files.truncate(`content/${cid}`, 2 * leafBytes);
    const reading = async (): Promise<number> => {
      let readBytes = 0;
      for await (const chunk of stored?.read(0, sizeBytes) ?? []) readBytes += chunk.length;
      return readBytes;
    };
    await expect(reading()).rejects.toBeInstanceOf(DamagedContent);
  });

  it('is never returned if its leaf digests are changed, truncated or missing', async () => {
    const damages = [
      (files: MemoryFiles, name: string) => Promise.resolve(files.damage(name, 40)),
      (files: MemoryFiles, name: string) => files.truncate(name, 96),
      (files: MemoryFiles, name: string) => files.remove(name),
    ];
    for (const damage of damages) {
      const shelf = createShelf();
      const cid = await shelf.add(randomBytes(sizeBytes));
      await damage(shelf.files, `leaves/${cid}`);
      await expect(shelf.read(cid)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('is never returned under the name of another, even with its leaf digests', async () => {
    const shelf = createShelf();
    const cid = await shelf.add(randomBytes(sizeBytes));
    const other = await shelf.add(randomBytes(sizeBytes));
    for (const directory of ['content', 'leaves'])
      await shelf.files.rename(`${directory}/${other}`, `${directory}/${cid}`);
    await expect(shelf.read(cid)).rejects.toBeInstanceOf(DamagedContent);
  });

  it('of one leaf is verified too, also when it is empty', async () => {
    for (const smallBytes of [0, 1, leafBytes]) {
      const shelf = createShelf();
      const cid = await shelf.add(randomBytes(smallBytes));
      expect(await shelf.read(cid)).toHaveLength(smallBytes);
      await shelf.files.append(`content/${cid}`, Uint8Array.of(1));
      await expect(shelf.read(cid)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('of one leaf is in memory while it is new, whole and in parts, and a larger one is not', async () => {
    const shelf = createShelf();
    for (const smallBytes of [0, 1, 70_000, leafBytes]) {
      const bytes = randomBytes(smallBytes);
      const cid = await shelf.addNow(bytes);
      await shelf.files.remove(`content/${cid}`);
      expect((await shelf.read(cid)).equals(bytes)).toBe(true);
      expect((await shelf.read(cid, 3, 60_000)).equals(bytes.subarray(3, 60_000))).toBe(true);
    }
    const cid = await shelf.addNow(randomBytes(leafBytes + 1));
    await shelf.files.remove(`content/${cid}`);
    expect(await shelf.find(cid)).toBeUndefined();
  });

  it('is repaired by adding it again', async () => {
    const shelf = createShelf();
    const bytes = randomBytes(sizeBytes);
    const cid = await shelf.add(bytes);
    shelf.files.damage(`content/${cid}`, 5);
    shelf.files.damage(`leaves/${cid}`, 5);
    expect(await shelf.add(bytes)).toBe(cid);
    expect((await shelf.read(cid)).equals(bytes)).toBe(true);
  });

  it('is kept once, however often it is added', async () => {
    const shelf = createShelf();
    const bytes = randomBytes(sizeBytes);
    const cids = await Promise.all([shelf.add(bytes), shelf.add(bytes), shelf.add(bytes)]);
    expect(new Set(cids).size).toBe(1);
    expect(await shelf.files.list('content')).toEqual([cids[0]]);
    expect(await shelf.files.list('leaves')).toEqual([cids[0]]);
    expect(await shelf.files.list('drafts')).toEqual([]);
  });
});

describe('content that is packed', () => {
  const payload = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ header: { index } }))));
  const smaller = payload.subarray(0, 5_000);

  it('takes fewer blocks, and is read whole and in any part', async () => {
    const shelf = createShelf();
    const cid = await shelf.add(payload);
    expect(await shelf.files.size(`content/${cid}`)).toBeLessThan(payload.length / 3);
    expect((await shelf.find(cid))?.sizeBytes).toBe(payload.length);
    expect((await shelf.read(cid)).equals(payload)).toBe(true);
    expect((await shelf.read(cid, 4_095, 4_098)).equals(payload.subarray(4_095, 4_098))).toBe(true);
    expect(await shelf.read(cid, 7, 7)).toHaveLength(0);
  });

  it('is what would save a block, and nothing else', async () => {
    const shelf = createShelf();
    const zeros = (bytes: number) => Buffer.alloc(bytes);
    const asItIs = [payload.subarray(0, 4_096), randomBytes(100_000), zeros(leafBytes), zeros(leafBytes + 1)];
    for (const bytes of asItIs)
      expect(await shelf.files.size(`content/${await shelf.add(bytes)}`), `${bytes.length}`).toBe(bytes.length);
    for (const bytes of [smaller, zeros(4_097), zeros(leafBytes - 1)])
      expect(await shelf.files.size(`content/${await shelf.add(bytes)}`), `${bytes.length}`).toBeLessThan(4_096);
  });

  it('is never returned with a changed byte, truncated, longer, or under the name of another', async () => {
    const shelf = createShelf();
    const other = await shelf.add(smaller);
    const cid = await shelf.add(payload);
    const name = `content/${cid}`;
    const keptBytes = (await shelf.files.size(name)) ?? 0;
    const damages = [
      ...[0, 1, keptBytes >> 1, keptBytes - 1].map(
        (position) => () => Promise.resolve(shelf.files.damage(name, position)),
      ),
      ...[0, 1, keptBytes - 1].map((bytes) => () => shelf.files.truncate(name, bytes)),
      () => shelf.files.write(name, [deflateRawSync(Buffer.alloc(leafBytes + 1))]),
      () => shelf.files.write(name, [deflateRawSync(smaller)]),
      () => shelf.files.rename(`content/${other}`, name),
    ];
    for (const damage of damages) {
      await shelf.add(payload);
      await damage();
      await expect(shelf.find(cid)).rejects.toBeInstanceOf(DamagedContent);
    }
    await shelf.add(payload);
    expect((await shelf.read(cid)).equals(payload)).toBe(true);
  });

  it('may have been kept as it is by an earlier version', async () => {
    const shelf = createShelf();
    const cid = await shelf.add(payload);
    await shelf.files.write(`content/${cid}`, [payload]);
    expect((await shelf.read(cid)).equals(payload)).toBe(true);
  });

  it('that looks packed itself is returned unchanged', async () => {
    const shelf = createShelf();
    const bytes = deflateRawSync(randomBytes(20_000));
    const cid = await shelf.add(bytes);
    expect((await shelf.read(cid)).equals(bytes)).toBe(true);
  });
});

describe('content in a power failure', () => {
  it('is all there once it was added', async () => {
    const shelf = createShelf();
    const bytes = randomBytes(sizeBytes);
    const cid = await shelf.add(bytes);
    shelf.files.crash();
    expect((await createShelf(shelf.files).read(cid)).equals(bytes)).toBe(true);
  });

  it('leaves at most drafts of what was not added yet, and those go at the next start', async () => {
    const files = createMemoryFiles();
    // A sync of another file in between makes the directory entry of the unfinished draft durable, and torn.
    await files.write('drafts/unfinished', [randomBytes(1_000)]);
    await createShelf(files).add(randomBytes(10));
    files.crash(() => 17);
    const shelf = createShelf(files);
    expect(await files.list('drafts')).toEqual(['unfinished']);
    await shelf.removeDrafts();
    expect(await files.list('drafts')).toEqual([]);
    expect(await files.list('content')).toHaveLength(1);
  });

  it('leaves no draft when adding fails', async () => {
    const shelf = createShelf(createMemoryFiles(), 'store.after-temp:1:error');
    await expect(shelf.add(randomBytes(sizeBytes))).rejects.toThrow('store.after-temp');
    for (const directory of ['drafts', 'content', 'leaves']) expect(await shelf.files.list(directory)).toEqual([]);
  });
});
