const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in its largest unit. */
export function agoText(thenMs: number, nowMs: number): string {
  const passed = nowMs - thenMs;
  if (passed < 2 * second) return 'now';
  return `${spanText(passed)} ago`;
}

/** A stretch of time in its largest unit. */
export function spanText(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}
