import type { Clock } from '../../ports/clock.js';

/** Lets other work run during long synchronous work. */
export interface Slices {
  /** Counts examined events; returns a promise to wait for if the turn is used up. */
  spend(events: number): Promise<void> | undefined;
}

/** About 20 ms of filtering. */
const maxEvents = 2_000;

export function createSlices(clock: Clock): Slices {
  let spent = 0;
  let turn: Promise<void> | undefined;

  async function nextTurn(): Promise<void> {
    await clock.sleep(0);
    spent = 0;
    turn = undefined;
  }

  return {
    spend(events) {
      spent += events;
      if (spent < maxEvents) return undefined;
      turn ??= nextTurn();
      return turn;
    },
  };
}
