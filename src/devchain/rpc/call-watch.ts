/** Watches whether the chain answers the calls that it is given. */
export interface CallWatch {
  /** Runs a call, which waits for its answer until then. */
  during<T>(call: () => Promise<T>): Promise<T>;
  /** Milliseconds for which calls have waited and none was answered; 0 while none waits. */
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
