/** Items of several streams in the order in which they come; ends when all have ended, fails when one fails. */
export async function* merge<Item>(streams: readonly AsyncGenerator<Item>[]): AsyncGenerator<Item> {
  const pending = new Map(streams.map((stream) => [stream, step(stream)] as const));
  try {
    while (pending.size > 0) {
      const { stream, next } = await Promise.race(pending.values());
      if (next.done === true) pending.delete(stream);
      else {
        yield next.value;
        pending.set(stream, step(stream));
      }
    }
  } finally {
    // Not awaited: a stream that waits for its next item ends only when its signal says so.
    for (const stream of pending.keys()) void stream.return(undefined);
  }
}

async function step<Item>(stream: AsyncGenerator<Item>) {
  return { stream, next: await stream.next() };
}
