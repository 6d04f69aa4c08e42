/**
 * Returns a function that adds new keys of the wallet. Waiting calls share one read, which begins after the call and so
 * finds every key that was there before it.
 */
export function createKeyRefresh(
  read: () => Promise<readonly string[]>,
  add: (privateKey: string) => unknown,
): () => Promise<void> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  async function refresh(): Promise<void> {
    next = undefined;
    for (const key of await read()) add(key);
  }
  return () => {
    if (next === undefined) {
      // A failed read was reported to its own callers.
      next = last.then(refresh, refresh);
      last = next;
    }
    return next;
  };
}
