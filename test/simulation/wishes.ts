import type { EventRow } from '../../src/ports/tables/tables.js';
import type { Simulator } from './life.js';

/** The filter of an application, and the same filter implemented by the simulator. */
export interface Wish {
  readonly filter: object | undefined;
  readonly isWanted: (event: EventRow) => boolean;
}

export const messageWishes: readonly Wish[] = [
  { filter: undefined, isWanted: () => true },
  { filter: { events: '^message_' }, isWanted: ({ type }) => type.startsWith('message_') },
  { filter: { events: 'rejected|datatype' }, isWanted: ({ type }) => /rejected|datatype/.test(type) },
  { filter: { topic: 'topic-0' }, isWanted: ({ topics }) => topics.some((topic) => topic.includes('topic-0')) },
  { filter: { message: { tag: '^tagged$' } }, isWanted: ({ tag }) => tag === 'tagged' },
  { filter: { message: { author: 'alice' } }, isWanted: ({ author }) => author?.includes('alice') ?? false },
];

/** The filter of an application, which may change while events are on their way. */
export interface ChangingWish {
  filter(): object | undefined;
  /** Chooses another filter. Returns a function that tells the newest event before which the node may use others. */
  change(): (newest: number) => void;
  hasChanged(): boolean;
  /** Whether every filter so far matches, so that the event must come. */
  isWanted(event: EventRow): boolean;
  /** Whether some filter so far matches, so that the event may come. */
  mayCome(event: EventRow): boolean;
}

export function createChangingWish({ scheduler }: Simulator, wishes: readonly Wish[]): ChangingWish {
  const draw = (): Wish =>
    wishes[scheduler.random.integer(wishes.length)] ?? { filter: undefined, isWanted: () => true };
  const all: { wish: Wish; from: number }[] = [{ wish: draw(), from: 0 }];

  let open = 0;

  /** The filters that the node may use for an event. */
  function usedFor({ sequence }: EventRow): readonly Wish[] {
    const first = all.findLastIndex(({ from }) => sequence > from);
    return all.slice(first).map(({ wish }) => wish);
  }

  return {
    filter: () => all.at(-1)?.wish.filter,
    change() {
      all.push({ wish: draw(), from: Infinity });
      open += 1;
      return (newest) => {
        open -= 1;
        const last = all.at(-1);
        // Requests that are open at the same time may be carried out in any order.
        if (open === 0 && last !== undefined) last.from = newest;
      };
    },
    hasChanged: () => all.length > 1,
    isWanted: (event) => usedFor(event).every(({ isWanted }) => isWanted(event)),
    mayCome: (event) => usedFor(event).some(({ isWanted }) => isWanted(event)),
  };
}
