const maxAtOnce = 100;

/** Processes many items, at most 100 at a time. Rejects with the first failure. */
export async function inChunks<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += maxAtOnce) {
    results.push(...(await Promise.all(items.slice(start, start + maxAtOnce).map(run))));
  }
  return results;
}
