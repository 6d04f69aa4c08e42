import { createMemoryStore } from '../../src/adapters/shared-store/memory.js';
import { type SharedStore, StoreError } from '../../src/ports/shared-store.js';

/** A memory store that can be away, and that can withhold or damage what it has. */
export interface FaultyStore extends SharedStore {
  /** Everything that was ever put, by its name, past all faults. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** How often anybody has asked for a content. */
  asked(reference: string): number;
  /** Nobody finds a content any more, or does again. */
  withhold(reference: string): void;
  release(reference: string): void;
  /** A content is answered with other bytes, or with its own again. */
  damage(reference: string): void;
  repair(reference: string): void;
  /** What is put from now on is withheld at once, or not any more. */
  withholdNew(isWithheld?: boolean): void;
  goAway(): void;
  comeBack(): void;
}

/** A store without any fault yet. */
export function createFaultyStore(): FaultyStore {
  const inner = createMemoryStore();
  const contents = new Map<string, Uint8Array>();
  const withheld = new Set<string>();
  const damaged = new Set<string>();
  const asked = new Map<string, number>();
  let isAway = false;
  let isWithholding = false;

  function assertReachable(): void {
    if (isAway) throw new StoreError('unreachable', 'The store is away.');
  }

  return {
    contents,
    async put(bytes) {
      assertReachable();
      const name = await inner.put(bytes);
      contents.set(name, bytes);
      if (isWithholding) withheld.add(name);
      return name;
    },
    async get(reference, options) {
      assertReachable();
      asked.set(reference, (asked.get(reference) ?? 0) + 1);
      if (withheld.has(reference)) throw new StoreError('not_found', 'The store withholds the content.');
      const bytes = await inner.get(reference, options);
      return damaged.has(reference) ? bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte)) : bytes;
    },
    asked: (reference) => asked.get(reference) ?? 0,
    withhold: (reference) => void withheld.add(reference),
    release: (reference) => void withheld.delete(reference),
    damage: (reference) => void damaged.add(reference),
    repair: (reference) => void damaged.delete(reference),
    withholdNew: (isWithheld = true) => void (isWithholding = isWithheld),
    goAway: () => void (isAway = true),
    comeBack: () => void (isAway = false),
  };
}
