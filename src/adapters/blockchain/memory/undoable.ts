/** A map whose changes can be undone. */
export interface UndoableMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Maps whose changes are undone together. */
export interface Undoable {
  map<K, V>(): UndoableMap<K, V>;
  /** Begins a group of changes. */
  begin(): void;
  /** Undoes the last group of changes that was not undone. */
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
