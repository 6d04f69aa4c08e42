/** The part of `window` that `whenIdle` uses. Safari has no idle callbacks. */
export interface IdleBrowser {
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  requestIdleCallback?(callback: () => void): number;
  cancelIdleCallback?(handle: number): void;
}

const standInMs = 200;

/** Calls back when the browser is idle, or after a delay if it has no idle callbacks. Returns a cancel function. */
export function whenIdle(callback: () => void, browser: IdleBrowser): () => void {
  const handle = browser.requestIdleCallback?.(callback);
  if (handle !== undefined) return () => browser.cancelIdleCallback?.(handle);
  const timer = browser.setTimeout(callback, standInMs);
  return () => browser.clearTimeout(timer);
}
