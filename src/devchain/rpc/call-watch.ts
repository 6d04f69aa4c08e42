/** Measures for how long the chain has answered no call. */
export interface CallWatch {
  /** Runs a call, which counts as waiting until it settles. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /** Milliseconds for which calls have waited and none was answered; 0 if none waits. */
  silentMs(): number;
}

export function createCallWatch(nowMs: () => number): CallWatch {
  let waiting = 0;
  let sinceMs = 0;
  return {
    async during(call) {
      if (waiting === 0) sinceMs = nowMs();
      waiting += 1;
      try {
        return await call();
      } finally {
        waiting -= 1;
        sinceMs = nowMs();
      }
    },
    silentMs: () => (waiting === 0 ? 0 : nowMs() - sinceMs),
  };
}
