/** The newest items of a stream, at most `max` of them. */
export interface Ring<Item> {
  push(item: Item): void;
  /** Oldest first. Returns the same array until something is pushed. */
  items(): readonly Item[];
  /** The number of items ever pushed. */
  total(): number;
  clear(): void;
}

export function createRing<Item>(max: number): Ring<Item> {
  // Cut only at twice the size, so that the cost of a push does not depend on `max`.
  let held: Item[] = [];
  let view: readonly Item[] | undefined = [];
  let total = 0;
  return {
    push(item) {
      held.push(item);
      if (held.length >= 2 * max) held = held.slice(-max);
      view = undefined;
      total++;
    },
    items() {
      view ??= held.slice(-max);
      return view;
    },
    total: () => total,
    clear() {
      held = [];
      view = [];
    },
  };
}
