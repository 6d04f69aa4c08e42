import type { Need } from './need.js';

/** A need that is worked on. */
export interface Open {
  readonly need: Need;
  /** Whether its answer is there, and has only to be told. */
  isJudged: boolean;
}

/** A queue of judgements, in memory: after a restart their users ask again. */
export interface Queue {
  /** Adds what is not there and not held. */
  add(needs: readonly Need[]): void;
  /** The one that was tried least often, and of these the first. */
  next(): Open | undefined;
  remove(key: string): void;
  /** It is not tried any more in this life. */
  hold(key: string): void;
  held(): readonly string[];
  /** Keys for which there was no room, when there is some again; they are forgotten by this. */
  takeLate(): readonly string[];
  /** How often it was tried. */
  attemptsOf(key: string): number;
  setAttempts(key: string, attempts: number): void;
}

/** As many inputs as are kept in memory; what is beyond is looked at again when there is room. */
const maxOpen = 64;

/** An empty queue. */
export function createQueue(): Queue {
  const open = new Map<string, Open>();
  const held = new Set<string>();
  const late = new Set<string>();
  const tried = new Map<string, number>();
  const attemptsOf = (key: string): number => tried.get(key) ?? 0;

  return {
    add(needs) {
      for (const need of needs) {
        if (held.has(need.key) || open.has(need.key)) continue;
        if (open.size < maxOpen) open.set(need.key, { need, isJudged: false });
        else late.add(need.key);
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
    takeLate() {
      if (open.size >= maxOpen) return [];
      const keys = [...late];
      late.clear();
      return keys;
    },
    attemptsOf,
    setAttempts: (key, attempts) => void tried.set(key, attempts),
  };
}
