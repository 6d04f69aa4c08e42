/** Mines a block, possibly empty, at each interval of the mining mode. */
export interface Interval {
  /** Changes the interval; 0 = none. */
  follow(intervalMs: number): void;
}

/** Creates the interval, which calls `mine`; `mine` handles its own failures. */
export function createInterval(mine: () => void): Interval {
  let timer: NodeJS.Timeout | undefined;
  let followedMs = 0;
  return {
    follow(intervalMs) {
      if (intervalMs === followedMs) return;
      clearInterval(timer);
      followedMs = intervalMs;
      timer = intervalMs === 0 ? undefined : setInterval(mine, intervalMs);
    },
  };
}
