import type { Clock } from '../../ports/clock.js';

/** Calls `ring` after a time; the returned function prevents that. */
type SetAlarm = (ms: number, ring: () => void) => () => void;

/** Returns the sleep of a clock with such alarms. */
export function createSleep(setAlarm: SetAlarm): Clock['sleep'] {
  return (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      if (ms <= 0) {
        setImmediate(resolve);
        return;
      }
      const wake = (): void => {
        cancel();
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const cancel = setAlarm(ms, wake);
      signal?.addEventListener('abort', wake);
    });
}
