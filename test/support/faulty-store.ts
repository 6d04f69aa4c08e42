import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { type SharedStore, StoreError } from '../../src/ports/shared-store.js';

/** A memory store that can be unreachable, and can withhold or damage contents. */
export interface FaultyStore extends SharedStore {
  /** Everything ever stored, by name, regardless of faults. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Returns how often a content was requested. */
  asked(reference: string): number;
  /** Hides a content until `release`. */
  withhold(reference: string): void;
  release(reference: string): void;
  /** Changes a content until `repair`. */
  damage(reference: string): void;
  repair(reference: string): void;
  /** Leaves requests for a content, or for new ones, unanswered until `answerAll` fails them like a timeout. */
  silence(reference: string): void;
  silenceNew(isSilent?: boolean): void;
  answerAll(): void;
  /** Breaks off the next stream of a content in the middle. */
  cutOnce(reference: string): void;
  /** Whether new contents are withheld at once. */
  withholdNew(isWithheld?: boolean): void;
  /** Whether streams, and thus large contents, are refused. */
  keepOutStreams(isKeptOut?: boolean): void;
  goAway(): void;
  comeBack(): void;
}

export function createFaultyStore(): FaultyStore {
  const inner = createMemoryStore();
  const contents = new Map<string, Uint8Array>();
  const withheld = new Set<string>();
  const damaged = new Set<string>();
  const asked = new Map<string, number>();
  const cut = new Set<string>();
  const silent = new Set<string>();
  const unanswered: (() => void)[] = [];
  let isAway = false;
  let isWithholding = false;
  let isKeepingOut = false;
  let isSilencing = false;

  function assertReachable(): void {
    if (isAway) throw new StoreError('unreachable', 'The store is away.');
  }

  const store: FaultyStore = {
    contents,
    async put(bytes) {
      assertReachable();
      const name = await inner.put(bytes);
      contents.set(name, bytes);
      if (isWithholding) withheld.add(name);
      if (isSilencing) silent.add(name);
      return name;
    },
    async get(reference, options) {
      assertReachable();
      asked.set(reference, (asked.get(reference) ?? 0) + 1);
      if (silent.has(reference)) {
        await new Promise<void>((resolve) => void unanswered.push(resolve));
        throw new StoreError('later', 'The store did not answer in time.');
      }
      if (withheld.has(reference)) throw new StoreError('not_found', 'The store withholds the content.');
      const bytes = await inner.get(reference, options);
      return damaged.has(reference) ? bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte)) : bytes;
    },
    async putStream(bytes, signal) {
      assertReachable();
      if (isKeepingOut) throw new StoreError('later', 'The store takes no streams now.');
      const chunks: Uint8Array[] = [];
      for await (const chunk of bytes) {
        assertReachable();
        chunks.push(chunk);
      }
      signal?.throwIfAborted();
      return store.put(Buffer.concat(chunks));
    },
    async *getStream(reference, { start, ...options }) {
      const bytes = await store.get(reference, options);
      for (let position = start; position < bytes.length; position += streamChunkBytes) {
        assertReachable();
        if (position > start && cut.delete(reference)) throw new StoreError('unreachable', 'The connection broke.');
        yield bytes.subarray(position, position + streamChunkBytes);
      }
    },
    silence: (reference) => void silent.add(reference),
    silenceNew: (isSilent = true) => void (isSilencing = isSilent),
    answerAll() {
      silent.clear();
      for (const answer of unanswered.splice(0)) answer();
    },
    cutOnce: (reference) => void cut.add(reference),
    asked: (reference) => asked.get(reference) ?? 0,
    withhold: (reference) => void withheld.add(reference),
    release: (reference) => void withheld.delete(reference),
    damage: (reference) => void damaged.add(reference),
    repair: (reference) => void damaged.delete(reference),
    withholdNew: (isWithheld = true) => void (isWithholding = isWithheld),
    keepOutStreams: (isKeptOut = true) => void (isKeepingOut = isKeptOut),
    goAway: () => void (isAway = true),
    comeBack: () => void (isAway = false),
  };
  return store;
}

const streamChunkBytes = 65_536;
