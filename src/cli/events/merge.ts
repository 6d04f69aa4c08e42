import { within } from '../duration.js';

/** A stream to merge with others. */
export interface Merged<Item> {
  readonly items: AsyncGenerator<Item, void>;
  /** Whether items of the past may still come behind the last one, before which the others' must not pass. */
  readonly isBehind: () => boolean;
}

export interface MergeOptions<Item> {
  /** The time of an item, as text that sorts; an item without a time waits for no other. */
  readonly timeOf: (item: Item) => string | undefined;
  /** Ends the streams that wait for their next item. */
  readonly stop: () => void;
  /** How long items are held back for a stream that is behind and silent. */
  readonly patienceMs?: number;
}

const defaultPatienceMs = 1_000;

/**
 * Merges several streams: by time as long as one is behind, then in order of arrival, each always in its own order.
 * Ends when all have ended, fails when one fails. When the reader leaves, or one fails, `stop` must end the streams
 * that wait for their next item; each is allowed to finish.
 */
export async function* merge<Item>(
  streams: readonly Merged<Item>[],
  { timeOf, stop, patienceMs = defaultPatienceMs }: MergeOptions<Item>,
): AsyncGenerator<Item, void, undefined> {
  const open = new Set(streams);
  const pending = new Map(streams.map((stream) => [stream, step(stream)] as const));
  const held = new Map<Merged<Item>, Item>();
  const behind = new Set(streams.filter((stream) => stream.isBehind()));
  try {
    while (pending.size > 0 || held.size > 0) {
      const awaited = [...behind].filter((stream) => pending.has(stream));
      const next = nextOf(held, timeOf, awaited.length > 0);
      if (next !== undefined) {
        held.delete(next.stream);
        yield next.item;
        pending.set(next.stream, step(next.stream));
        continue;
      }
      const first = Promise.race(pending.values());
      const came = await (held.size > 0 ? within(patienceMs, first) : first);
      if (came === undefined) for (const stream of awaited) behind.delete(stream);
      else {
        pending.delete(came.stream);
        if (!came.stream.isBehind()) behind.delete(came.stream);
        if (came.next.done === true) open.delete(came.stream);
        else held.set(came.stream, came.next.value);
      }
    }
  } finally {
    stop();
    await Promise.allSettled([...open].map(({ items }) => items.return(undefined)));
  }
}

/** The held item that is next: one without a time, else the earliest if no other stream is waited for. */
function nextOf<Item>(
  held: ReadonlyMap<Merged<Item>, Item>,
  timeOf: (item: Item) => string | undefined,
  isWaiting: boolean,
): { readonly stream: Merged<Item>; readonly item: Item } | undefined {
  let earliest: { readonly stream: Merged<Item>; readonly item: Item; readonly time: string } | undefined;
  for (const [stream, item] of held) {
    const time = timeOf(item);
    if (time === undefined) return { stream, item };
    if (earliest === undefined || time < earliest.time) earliest = { stream, item, time };
  }
  return isWaiting ? undefined : earliest;
}

interface Step<Item> {
  readonly stream: Merged<Item>;
  readonly next: IteratorResult<Item, void>;
}

function step<Item>(stream: Merged<Item>): Promise<Step<Item>> {
  const next = stream.items.next().then((result) => ({ stream, next: result }));
  // It may fail while items of others are passed on; whoever races it next has the failure.
  next.catch(() => undefined);
  return next;
}
