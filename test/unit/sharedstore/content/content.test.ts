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

/** How long small content is also kept in memory. */
const recentMs = 10_000;

interface TestStore {
  readonly files: MemoryFiles;
  addNow(bytes: Uint8Array): Promise<string>;
  /** Adds bytes, and advances the clock until only a file has them. */
  add(bytes: Uint8Array): Promise<string>;
  find(cid: string): Promise<Stored | undefined>;
  /** The whole content, or a range of it. */
  read(cid: string, start?: number, end?: number): Promise<Buffer>;
  removeDrafts(): Promise<void>;
}

function createTestStore(files = createMemoryFiles(), failpoints?: string): TestStore {
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
  it('is read whole and in ranges', async () => {
    const store = createTestStore();
    const bytes = randomBytes(sizeBytes);
    const cid = await store.add(bytes);
    expect((await store.read(cid)).equals(bytes)).toBe(true);
    expect(
      (await store.read(cid, leafBytes - 1, 2 * leafBytes + 1)).equals(
        bytes.subarray(leafBytes - 1, 2 * leafBytes + 1),
      ),
    ).toBe(true);
  });

  it('is never returned with a changed byte', async () => {
    for (const position of [0, leafBytes - 1, leafBytes, 2 * leafBytes + 77, sizeBytes - 1]) {
      const store = createTestStore();
      const bytes = randomBytes(sizeBytes);
      const cid = await store.add(bytes);
      store.files.damage(`content/${cid}`, position);
      await expect(store.read(cid)).rejects.toBeInstanceOf(DamagedContent);
      await expect(store.read(cid, position, position + 1)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('is returned where its blocks are intact', async () => {
    const store = createTestStore();
    const bytes = randomBytes(sizeBytes);
    const cid = await store.add(bytes);
    store.files.damage(`content/${cid}`, 10);
    expect((await store.read(cid, leafBytes, sizeBytes)).equals(bytes.subarray(leafBytes))).toBe(true);
  });

  it('is never returned if it has become shorter or longer', async () => {
    for (const newBytes of [0, 1, leafBytes, sizeBytes - 1, sizeBytes + 1]) {
      const store = createTestStore();
      const cid = await store.add(randomBytes(sizeBytes));
      await store.files.truncate(`content/${cid}`, newBytes);
      await expect(store.read(cid, 0, 1)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('is never returned if it becomes shorter while it is read', async () => {
    const store = createTestStore();
    const cid = await store.add(randomBytes(sizeBytes));
    const stored = await store.find(cid);
    await store.files.truncate(`content/${cid}`, 2 * leafBytes);
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
      const store = createTestStore();
      const cid = await store.add(randomBytes(sizeBytes));
      await damage(store.files, `leaves/${cid}`);
      await expect(store.read(cid)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('is never returned under the name of another, even with its leaf digests', async () => {
    const store = createTestStore();
    const cid = await store.add(randomBytes(sizeBytes));
    const other = await store.add(randomBytes(sizeBytes));
    for (const directory of ['content', 'leaves'])
      await store.files.rename(`${directory}/${other}`, `${directory}/${cid}`);
    await expect(store.read(cid)).rejects.toBeInstanceOf(DamagedContent);
  });

  it('of one leaf is verified, even if it is empty', async () => {
    for (const smallBytes of [0, 1, leafBytes]) {
      const store = createTestStore();
      const cid = await store.add(randomBytes(smallBytes));
      expect(await store.read(cid)).toHaveLength(smallBytes);
      await store.files.append(`content/${cid}`, Uint8Array.of(1));
      await expect(store.read(cid)).rejects.toBeInstanceOf(DamagedContent);
    }
  });

  it('of one leaf is kept in memory for a time, larger content is not', async () => {
    const store = createTestStore();
    for (const smallBytes of [0, 1, 70_000, leafBytes]) {
      const bytes = randomBytes(smallBytes);
      const cid = await store.addNow(bytes);
      await store.files.remove(`content/${cid}`);
      expect((await store.read(cid)).equals(bytes)).toBe(true);
      expect((await store.read(cid, 3, 60_000)).equals(bytes.subarray(3, 60_000))).toBe(true);
    }
    const cid = await store.addNow(randomBytes(leafBytes + 1));
    await store.files.remove(`content/${cid}`);
    expect(await store.find(cid)).toBeUndefined();
  });

  it('is repaired by adding it again', async () => {
    const store = createTestStore();
    const bytes = randomBytes(sizeBytes);
    const cid = await store.add(bytes);
    store.files.damage(`content/${cid}`, 5);
    store.files.damage(`leaves/${cid}`, 5);
    expect(await store.add(bytes)).toBe(cid);
    expect((await store.read(cid)).equals(bytes)).toBe(true);
  });

  it('is stored once, however often it is added', async () => {
    const store = createTestStore();
    const bytes = randomBytes(sizeBytes);
    const cids = await Promise.all([store.add(bytes), store.add(bytes), store.add(bytes)]);
    expect(new Set(cids).size).toBe(1);
    expect(await store.files.list('content')).toEqual([cids[0]]);
    expect(await store.files.list('leaves')).toEqual([cids[0]]);
    expect(await store.files.list('drafts')).toEqual([]);
  });
});

describe('content that can be packed', () => {
  const payload = Buffer.from(JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ header: { index } }))));
  const smaller = payload.subarray(0, 5_000);

  it('takes fewer blocks, and is read whole and in ranges', async () => {
    const store = createTestStore();
    const cid = await store.add(payload);
    expect(await store.files.size(`content/${cid}`)).toBeLessThan(payload.length / 3);
    expect((await store.find(cid))?.sizeBytes).toBe(payload.length);
    expect((await store.read(cid)).equals(payload)).toBe(true);
    expect((await store.read(cid, 4_095, 4_098)).equals(payload.subarray(4_095, 4_098))).toBe(true);
    expect(await store.read(cid, 7, 7)).toHaveLength(0);
  });

  it('is packed only below the size of a leaf, and only if that saves a block', async () => {
    const store = createTestStore();
    const zeros = (bytes: number) => Buffer.alloc(bytes);
    const unpacked = [payload.subarray(0, 4_096), randomBytes(100_000), zeros(leafBytes), zeros(leafBytes + 1)];
    for (const bytes of unpacked)
      expect(await store.files.size(`content/${await store.add(bytes)}`), `${bytes.length}`).toBe(bytes.length);
    for (const bytes of [smaller, zeros(4_097), zeros(leafBytes - 1)])
      expect(await store.files.size(`content/${await store.add(bytes)}`), `${bytes.length}`).toBeLessThan(4_096);
  });

  it('is never returned with a changed byte, truncated, longer, or under the name of another', async () => {
    const store = createTestStore();
    const other = await store.add(smaller);
    const cid = await store.add(payload);
    const name = `content/${cid}`;
    const keptBytes = (await store.files.size(name)) ?? 0;
    const damages = [
      ...[0, 1, keptBytes >> 1, keptBytes - 1].map(
        (position) => () => Promise.resolve(store.files.damage(name, position)),
      ),
      ...[0, 1, keptBytes - 1].map((bytes) => () => store.files.truncate(name, bytes)),
      () => store.files.write(name, [deflateRawSync(Buffer.alloc(leafBytes + 1))]),
      () => store.files.write(name, [deflateRawSync(smaller)]),
      () => store.files.rename(`content/${other}`, name),
    ];
    for (const damage of damages) {
      await store.add(payload);
      await damage();
      await expect(store.find(cid)).rejects.toBeInstanceOf(DamagedContent);
    }
    await store.add(payload);
    expect((await store.read(cid)).equals(payload)).toBe(true);
  });

  it('is read as it is if an earlier version has stored it unpacked', async () => {
    const store = createTestStore();
    const cid = await store.add(payload);
    await store.files.write(`content/${cid}`, [payload]);
    expect((await store.read(cid)).equals(payload)).toBe(true);
  });

  it('is returned unchanged if it looks like packed content', async () => {
    const store = createTestStore();
    const bytes = deflateRawSync(randomBytes(20_000));
    const cid = await store.add(bytes);
    expect((await store.read(cid)).equals(bytes)).toBe(true);
  });
});

describe('content after a power failure', () => {
  it('is complete if it was added before', async () => {
    const store = createTestStore();
    const bytes = randomBytes(sizeBytes);
    const cid = await store.add(bytes);
    store.files.crash();
    expect((await createTestStore(store.files).read(cid)).equals(bytes)).toBe(true);
  });

  it('is a draft if it was not added yet, and the next start removes drafts', async () => {
    const files = createMemoryFiles();
    // A sync of another file in between makes the directory entry of the unfinished draft durable, and torn.
    await files.write('drafts/unfinished', [randomBytes(1_000)]);
    await createTestStore(files).add(randomBytes(10));
    files.crash(() => 17);
    const store = createTestStore(files);
    expect(await files.list('drafts')).toEqual(['unfinished']);
    await store.removeDrafts();
    expect(await files.list('drafts')).toEqual([]);
    expect(await files.list('content')).toHaveLength(1);
  });

  it('leaves no draft when adding it has failed', async () => {
    const store = createTestStore(createMemoryFiles(), 'store.after-temp:1:error');
    await expect(store.add(randomBytes(sizeBytes))).rejects.toThrow('store.after-temp');
    for (const directory of ['drafts', 'content', 'leaves']) expect(await store.files.list(directory)).toEqual([]);
  });
});
