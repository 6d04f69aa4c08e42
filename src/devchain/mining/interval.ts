/** Mines a block, possibly empty, at each interval of the mining mode. */
export interface Interval {
  /** Changes the interval; 0 = none. */
  follow(intervalMs: number): void;
}

/**
 * Creates the interval, which calls `mine`; `mine` never rejects. A block that is due while the previous one is not
 * mined is left out: after a long call or a pause of the machine, all of them would be mined at once.
 */
export function createInterval(mine: () => Promise<void>): Interval {
  let timer: NodeJS.Timeout | undefined;
  let followedMs = 0;
  let isMining = false;

  async function mineUnlessMining(): Promise<void> {
    if (isMining) return;
    isMining = true;
    await mine();
    isMining = false;
  }

  return {
    follow(intervalMs) {
      if (intervalMs === followedMs) return;
      clearInterval(timer);
      followedMs = intervalMs;
      timer = intervalMs === 0 ? undefined : setInterval(() => void mineUnlessMining(), intervalMs);
    },
  };
}
