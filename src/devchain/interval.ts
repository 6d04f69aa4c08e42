/** Makes a block each time the interval of the mining mode has passed, be it empty. */
export interface Interval {
  /** Goes on with this interval; 0 = none. */
  follow(intervalMs: number): void;
}

/** `mine` is called at each interval; it tells of its own failures. */
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
