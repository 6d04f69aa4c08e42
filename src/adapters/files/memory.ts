import assert from 'node:assert/strict';
import { FileNotFound, type Files } from '../../ports/files.js';
import { assertName, directoryOf } from './name.js';

/** Chooses how many bytes of an unsynced file survive a power cut: 0 to `unsyncedBytes`. */
export type Tear = (name: string, unsyncedBytes: number) => number;

export interface MemoryFiles extends Files {
  /**
   * Simulates a power cut: contents and directory entries revert to their synced state. `tear` may keep a prefix of
   * unsynced bytes; by default none are kept. The death of the process alone loses nothing and needs no call.
   */
  crash(tear?: Tear): void;

  /** Sets the free space of the disk; initially unlimited. */
  setFreeBytes(freeBytes: number): void;

  /** Flips every bit of one byte, like a decaying disk. It is noticed only when the byte is read. */
  damage(name: string, position: number): void;
}

const readChunkBytes = 262_144;

/** Creates `Files` in memory that distinguish *written* from *synced*, for simulations and tests of power cuts. */
export function createMemoryFiles(): MemoryFiles {
  const medium = createMedium();
  return {
    read: (name, { start = 0, end = Infinity } = {}) => readRange(() => medium.find(name).written, start, end),

    async size(name) {
      assertName(name);
      return medium.entries.get(name)?.written.length;
    },

    async write(name, bytes) {
      const content = medium.findOrCreate(name);
      content.written = new Uint8Array(0);
      for await (const chunk of bytes) content.written = joined(content.written, chunk);
    },

    async append(name, bytes) {
      const content = medium.findOrCreate(name);
      content.written = joined(content.written, bytes);
    },

    async truncate(name, sizeBytes) {
      const content = medium.find(name);
      const padding = new Uint8Array(Math.max(0, sizeBytes - content.written.length));
      content.written = joined(content.written.slice(0, sizeBytes), padding);
    },

    async sync(name) {
      const content = medium.find(name);
      content.synced = content.written;
      medium.syncDirectory(directoryOf(name));
    },

    async syncContent(name) {
      const content = medium.find(name);
      content.synced = content.written;
    },

    async rename(from, to) {
      const content = medium.find(from);
      assertName(to);
      assert(content.synced === content.written, 'a file is synced before it is renamed');
      medium.entries.delete(from);
      medium.entries.set(to, content);
      medium.syncDirectory(directoryOf(from));
      medium.syncDirectory(directoryOf(to));
    },

    async remove(name) {
      assertName(name);
      medium.entries.delete(name);
    },

    async list(directory) {
      if (directory !== '') assertName(directory);
      const names = [...medium.entries.keys()].filter((name) => directoryOf(name) === directory);
      return names.map((name) => name.slice(name.lastIndexOf('/') + 1)).sort();
    },

    freeBytes: async () => medium.freeBytes,

    async close() {
      // There are no open handles, and the content outlives the process that closes it.
    },

    setFreeBytes: (left) => void (medium.freeBytes = left),
    crash: (tear = () => 0) => medium.crash(tear),
    damage: (name, position) => medium.damage(name, position),
  };
}

async function* readRange(find: () => Uint8Array, start: number, end: number): AsyncGenerator<Uint8Array> {
  const written = find();
  for (let position = start; position < Math.min(end, written.length); position += readChunkBytes) {
    yield written.slice(position, Math.min(end, position + readChunkBytes));
  }
}

interface Content {
  written: Uint8Array;
  synced: Uint8Array;
}

interface Medium {
  freeBytes: number;
  readonly entries: Map<string, Content>;
  find(name: string): Content;
  findOrCreate(name: string): Content;
  /** Makes all entries of a directory durable, and the absence of others. */
  syncDirectory(directory: string): void;
  crash(tear: Tear): void;
  damage(name: string, position: number): void;
}

function createMedium(): Medium {
  const entries = new Map<string, Content>();
  const durableEntries = new Map<string, Content>();

  function find(name: string): Content {
    assertName(name);
    const content = entries.get(name);
    if (content === undefined) throw new FileNotFound(name);
    return content;
  }

  return {
    freeBytes: Number.MAX_SAFE_INTEGER,
    entries,
    find,

    findOrCreate(name) {
      assertName(name);
      const content = entries.get(name) ?? emptyContent();
      entries.set(name, content);
      return content;
    },

    syncDirectory(directory) {
      for (const name of durableEntries.keys()) {
        if (directoryOf(name) === directory && !entries.has(name)) durableEntries.delete(name);
      }
      for (const [name, content] of entries) {
        if (directoryOf(name) === directory) durableEntries.set(name, content);
      }
    },

    crash(tear) {
      entries.clear();
      for (const [name, content] of durableEntries) {
        const left = leftOf(name, content, tear);
        entries.set(name, left);
        durableEntries.set(name, left);
      }
    },

    damage(name, position) {
      const content = find(name);
      assert(position < content.written.length, 'only a byte that is there can be damaged');
      const damaged = content.written.slice();
      damaged[position] = ~(damaged[position] ?? 0) & 0xff;
      if (content.synced === content.written) content.synced = damaged;
      content.written = damaged;
    },
  };
}

function emptyContent(): Content {
  const nothing = new Uint8Array(0);
  return { written: nothing, synced: nothing };
}

function leftOf(name: string, { written, synced }: Content, tear: Tear): Content {
  if (written === synced) return { written, synced };
  const keptBytes = startsWith(written, synced) ? synced.length : 0;
  const unsyncedBytes = written.length - keptBytes;
  const tornBytes = Math.min(tear(name, unsyncedBytes), unsyncedBytes);
  const left = tornBytes === 0 ? synced : written.slice(0, keptBytes + tornBytes);
  return { written: left, synced: left };
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && Buffer.compare(bytes.subarray(0, start.length), start) === 0;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
