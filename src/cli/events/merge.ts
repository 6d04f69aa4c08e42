import { within } from '../duration.js';

export interface Merged<Item> {
  readonly items: AsyncGenerator<Item, void>;
  /** Whether past items may still follow. Until then, the items of other streams are held back. */
  readonly isBehind: () => boolean;
}

export interface MergeOptions<Item> {
  /** The time of an item, as text that sorts; an item without a time waits for no other. */
  readonly timeOf: (item: Item) => string | undefined;
  /** Ends the streams that wait for their next item. */
  readonly stop: () => void;
  /** The longest time for which items are held back for a silent stream that is behind. */
  readonly maxHoldMs?: number;
}

const defaultHoldMs = 1_000;

/**
 * Merges several streams: by time as long as one is behind, then in order of arrival. The order within each stream is
 * kept. The result ends when all streams have ended, and fails when one fails. If it fails or its reader leaves, `stop`
 * must end the streams that wait for their next item.
 */
export async function* merge<Item>(
  streams: readonly Merged<Item>[],
  { timeOf, stop, maxHoldMs = defaultHoldMs }: MergeOptions<Item>,
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
      const arrived = await (held.size > 0 ? within(maxHoldMs, first) : first);
      if (arrived === undefined) for (const stream of awaited) behind.delete(stream);
      else {
        const { stream, next: result } = arrived;
        pending.delete(stream);
        if (!stream.isBehind()) behind.delete(stream);
        if (result.done === true) open.delete(stream);
        else held.set(stream, result.value);
      }
    }
  } finally {
    stop();
    await Promise.allSettled([...open].map(({ items }) => items.return(undefined)));
  }
}

/** The held item that is next: one without a time, otherwise the earliest unless a stream is waited for. */
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
  // The failure is thrown by the next race; until then it must not count as unhandled.
  next.catch(() => undefined);
  return next;
}
