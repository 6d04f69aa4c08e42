/** Resolves when everything that waits neither for a clock nor for a gate has run. */
export async function flush(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise that the test resolves. */
export interface Gate<T> {
  readonly passed: Promise<T>;
  open(value: T): void;
}

export function createGate<T>(): Gate<T> {
  let open: (value: T) => void = () => undefined;
  const passed = new Promise<T>((resolve) => (open = resolve));
  return { passed, open: (value) => open(value) };
}
