/** A map whose changes can be taken back. */
export interface UndoableMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Maps that go back together to where they were. */
export interface Undoable {
  map<K, V>(): UndoableMap<K, V>;
  /** What is set from now on goes back together. */
  begin(): void;
  /** Takes back what was set since the last `begin` that was not taken back. */
  undo(): void;
}

export function createUndoable(): Undoable {
  const steps: (() => void)[][] = [];
  return {
    map<K, V>(): UndoableMap<K, V> {
      const values = new Map<K, V>();
      return {
        get: (key) => values.get(key),
        set(key, value) {
          const before = values.get(key);
          steps.at(-1)?.push(() => {
            if (before === undefined) values.delete(key);
            else values.set(key, before);
          });
          values.set(key, value);
        },
      };
    },
    begin: () => void steps.push([]),
    undo() {
      for (const takeBack of steps.pop()?.reverse() ?? []) takeBack();
    },
  };
}
