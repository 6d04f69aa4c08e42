import { useSyncExternalStore } from 'react';
import { nodeNow } from '../../api/node-clock.js';

const tickMs = 1_000;

/** A shared clock that ticks once a second while the tab is visible, so that all times update together. */
function createTicker() {
  const listeners = new Set<() => void>();
  let now: number | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = nodeNow();
    if (!document.hidden) for (const listener of listeners) listener();
  };
  return {
    // Read at the first use, when an answer has told the time of the node.
    current: () => (now ??= nodeNow()),
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

/** The current time in milliseconds, updated every second. */
export function useNow(): number {
  return useSyncExternalStore(ticker.subscribe, ticker.current);
}

/** A value derived from the current time. The component renders again only when the value changes. */
export function useAtNow<Value extends string | number | boolean>(of: (nowMs: number) => Value): Value {
  return useSyncExternalStore(ticker.subscribe, () => of(ticker.current()));
}
