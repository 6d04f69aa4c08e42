/** The part of a window that is used; Safari has no idle callbacks. */
export interface IdleBrowser {
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  requestIdleCallback?(callback: () => void): number;
  cancelIdleCallback?(handle: number): void;
}

const standInMs = 200;

/** Calls back when the browser is idle, or a bit later where it does not say so; returns how to cancel that. */
export function whenIdle(callback: () => void, browser: IdleBrowser): () => void {
  const handle = browser.requestIdleCallback?.(callback);
  if (handle !== undefined) return () => browser.cancelIdleCallback?.(handle);
  const timer = browser.setTimeout(callback, standInMs);
  return () => browser.clearTimeout(timer);
}
