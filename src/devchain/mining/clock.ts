import type { Chain } from '../engine/chain.js';
import type { Action } from '../journal/journal.js';
import { RpcError, rpcCodes } from '../rpc/rpc-error.js';

/** Determines block times. All times are whole seconds since 1970. */
export interface Clock {
  /** The time of a block mined now. */
  dueTime(): number;
  /** Records that a block was mined at the due time. */
  blockMined(): void;
  /** Sets the time of the next block, from which the clock continues. Throws RpcError. */
  setNextTime(time: number): void;
  /** Advances the clock; returns the total offset. Throws RpcError. */
  increase(seconds: number): number;
  restore(state: ClockState): void;
}

export interface ClockState {
  readonly offsetSeconds: number;
  readonly nextTime: number | null;
}

/**
 * The latest time that the clock can be set to: the year 9000. The clock runs on from a set time, and nodes read times
 * only up to the year 9999.
 */
const maxTime = 221_845_392_000;

/**
 * Creates the clock. A block has the requested time, else the time of day plus the clock's offset, but never a time
 * before its parent's. Several blocks may have the same time: a busy chain must not run ahead of the time of day.
 */
export function createClock(chain: Chain, nowMs: () => number, record: (action: Action) => void): Clock {
  let state: ClockState = { offsetSeconds: 0, nextTime: null };
  const today = (): number => Math.floor(nowMs() / 1_000);

  function change(to: ClockState): void {
    if (to.offsetSeconds === state.offsetSeconds && to.nextTime === state.nextTime) return;
    state = to;
    record({ do: 'clock', ...to });
  }

  return {
    dueTime: () => state.nextTime ?? Math.max(chain.head().time, today() + state.offsetSeconds),
    blockMined() {
      if (state.nextTime !== null) change({ offsetSeconds: state.nextTime - today(), nextTime: null });
    },
    setNextTime(time) {
      const headTime = chain.head().time;
      if (time < headTime || time > maxTime) {
        const range = `${headTime} to ${maxTime}`;
        throw new RpcError(rpcCodes.invalidParams, `The next block's time must be ${range}, not ${time}.`);
      }
      change({ ...state, nextTime: time });
    },
    increase(seconds) {
      const offsetSeconds = state.offsetSeconds + seconds;
      if (today() + offsetSeconds > maxTime) {
        throw new RpcError(
          rpcCodes.invalidParams,
          `The clock cannot advance by ${seconds} s: its latest time is ${maxTime}.`,
        );
      }
      change({ ...state, offsetSeconds });
      return offsetSeconds;
    },
    restore(to) {
      state = to;
    },
  };
}
