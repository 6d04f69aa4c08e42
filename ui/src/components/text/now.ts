import { useSyncExternalStore } from 'react';

const tickMs = 1_000;

/** One clock for the page: it ticks once a second while somebody looks, and all that tells time moves together. */
function createTicker() {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = Date.now();
    if (!document.hidden) for (const listener of listeners) listener();
  };
  return {
    current: () => now,
    subscribe(listener: () => void) {
      listeners.add(listener);
      timer ??= setInterval(tick, tickMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const ticker = createTicker();

/** The time in milliseconds, a second exact. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.current);
}

/** A value that depends on the time; the component is drawn again only when it changes. */
export function useAtNow<Value extends string | number | boolean>(of: (nowMs: number) => Value): Value {
  return useSyncExternalStore(ticker.subscribe, () => of(ticker.current()));
}
