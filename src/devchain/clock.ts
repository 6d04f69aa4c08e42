import type { Chain } from './chain.js';
import type { Action } from './journal.js';
import { RpcError, rpcCodes } from './rpc-error.js';

/** Gives blocks their time. All times are whole seconds since 1970. */
export interface Clock {
  /** The time of a block that is made now. */
  dueTime(): number;
  /** A block was made at the time that was due. */
  passed(): void;
  /** What the next block's time is to be; from there the clock goes on. Throws RpcError. */
  setNextTime(time: number): void;
  /** Moves the clock ahead; by how much in all. Throws RpcError. */
  increase(seconds: number): number;
  restore(state: ClockState): void;
}

export interface ClockState {
  readonly offsetSeconds: number;
  readonly nextTime: number | null;
}

const maxTime = 2 ** 40;

/**
 * A block's time is what was asked for it, else the time of day plus the offset of the chain's clock, but never before
 * the block it follows. Several blocks may have one time: a busy chain must not run ahead of the day.
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
    passed() {
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
        throw new RpcError(rpcCodes.invalidParams, `The clock cannot go ${seconds} seconds ahead.`);
      }
      change({ ...state, offsetSeconds });
      return offsetSeconds;
    },
    restore(to) {
      state = to;
    },
  };
}
