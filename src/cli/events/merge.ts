/**
 * Merges several streams in order of arrival; ends when all have ended, fails when one fails. When the reader leaves,
 * or one fails, `stop` must end the streams that wait for their next item; each is allowed to finish.
 */
export async function* merge<Item>(
  streams: readonly AsyncGenerator<Item>[],
  stop: () => void,
): AsyncGenerator<Item, void, undefined> {
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
    stop();
    await Promise.allSettled([...pending.keys()].map((stream) => stream.return(undefined)));
  }
}

async function step<Item>(stream: AsyncGenerator<Item>) {
  return { stream, next: await stream.next() };
}
