/** The newest items of a stream, at most `max` of them; older ones leave. */
export interface Ring<Item> {
  push(item: Item): void;
  /** Oldest first. The same array until something is pushed. */
  items(): readonly Item[];
  /** How many have ever been pushed. */
  total(): number;
  clear(): void;
}

export function createRing<Item>(max: number): Ring<Item> {
  // It may grow to twice its size before it is cut, so that a push costs the same however full it is.
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
