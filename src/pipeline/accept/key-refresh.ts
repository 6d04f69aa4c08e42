/**
 * Returns a function that adds the keys that came to the wallet. Calls that wait share one reading, and it begins after
 * the call, so that it finds a key that was there by then.
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
      // The callers of the last reading were told if it failed.
      next = last.then(refresh, refresh);
      last = next;
    }
    return next;
  };
}
