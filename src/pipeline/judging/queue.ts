import type { Need } from './need.js';

export interface Open {
  readonly need: Need;
  /** Whether its answer is cached and only its waits must still be ended. */
  isJudged: boolean;
}

/** A queue of judgements in memory; after a restart the waiting contexts ask again. */
export interface Queue {
  add(needs: readonly Need[]): void;
  /** Returns the judgement with the fewest attempts, oldest first. */
  next(): Open | undefined;
  remove(key: string): void;
  /** Stops trying a judgement until the next start. */
  hold(key: string): void;
  held(): readonly string[];
  /** Returns and removes the keys that found the queue full, once there is room. */
  takeOverflow(): readonly string[];
  /** Records keys that find the queue full. */
  overflow(keys: readonly string[]): void;
  attemptsOf(key: string): number;
  setAttempts(key: string, attempts: number): void;
}

/** Judgements kept in memory; the contexts of others are examined again when there is room. */
const maxOpen = 64;

export function createQueue(): Queue {
  const open = new Map<string, Open>();
  const held = new Set<string>();
  const overflown = new Set<string>();
  const tried = new Map<string, number>();
  const attemptsOf = (key: string): number => tried.get(key) ?? 0;

  return {
    add(needs) {
      for (const need of needs) {
        if (held.has(need.key) || open.has(need.key)) continue;
        if (open.size < maxOpen) open.set(need.key, { need, isJudged: false });
        else overflown.add(need.key);
      }
    },
    next() {
      let best: Open | undefined;
      for (const each of open.values()) {
        if (best === undefined || attemptsOf(each.need.key) < attemptsOf(best.need.key)) best = each;
      }
      return best;
    },
    remove(key) {
      open.delete(key);
      tried.delete(key);
    },
    hold(key) {
      open.delete(key);
      held.add(key);
    },
    held: () => [...held],
    takeOverflow() {
      if (open.size >= maxOpen) return [];
      const keys = [...overflown];
      overflown.clear();
      return keys;
    },
    overflow(keys) {
      for (const key of keys) overflown.add(key);
    },
    attemptsOf,
    setAttempts: (key, attempts) => void tried.set(key, attempts),
  };
}
