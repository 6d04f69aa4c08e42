import type { Turns } from './turn.js';

/** Makes a block each time the interval of the mining mode has passed, be it empty. */
export interface Interval {
  /** The mode may have changed. */
  follow(): void;
  stop(): void;
}

export function createInterval(turns: Pick<Turns, 'change' | 'mining'>, failed: (error: unknown) => void): Interval {
  let timer: NodeJS.Timeout | undefined;
  let followedMs = 0;

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    followedMs = 0;
  }

  return {
    follow() {
      const { intervalMs } = turns.mining();
      if (intervalMs === followedMs) return;
      stop();
      followedMs = intervalMs;
      if (intervalMs === 0) return;
      timer = setInterval(() => {
        turns.change(mineOne).catch(failed);
      }, intervalMs);
    },
    stop,
  };
}

const mineOne: Parameters<Turns['change']>[0] = async (ledger) => {
  await ledger.mine(1, 1);
  return () => undefined;
};
