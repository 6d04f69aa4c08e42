import type { Clock } from '../../ports/clock.js';

/** Keeps work that never waits for anything from holding up everybody else . */
export interface Slices {
  /** Takes note that so many events were looked at. Waits for the next turn when this one has had its share. */
  spend(events: number): Promise<void> | undefined;
}

/** About 20 ms of filters, whoever's they are. */
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
