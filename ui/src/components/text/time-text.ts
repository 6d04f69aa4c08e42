const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The text of a time that does not exist, as another party may write. */
export const noTimeText = '?';

export function agoText(thenMs: number, nowMs: number): string {
  const passed = nowMs - thenMs;
  if (Number.isNaN(passed)) return noTimeText;
  if (passed < 2 * second) return 'now';
  return `${spanText(passed)} ago`;
}

export function spanText(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/** Formats hour and minute, from 00:00 to 23:59. `toLocaleTimeString` writes midnight as 24:00 in some locales. */
export function hourText(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes()].map(twoDigits).join(':');
}

/** Formats hour, minute and second. */
export function clockText(ms: number): string {
  return `${hourText(ms)}:${twoDigits(new Date(ms).getSeconds())}`;
}

/** Formats the day, such as `01-31`, with the year if it is not the current one. */
export function dateText(ms: number, nowMs: number): string {
  const [date, now] = [new Date(ms), new Date(nowMs)];
  const day = [date.getMonth() + 1, date.getDate()].map(twoDigits).join('-');
  return date.getFullYear() === now.getFullYear() ? day : `${date.getFullYear()}-${day}`;
}

/** Formats the day like `dateText`. Empty for today. */
export function dayText(ms: number, nowMs: number): string {
  return new Date(ms).toDateString() === new Date(nowMs).toDateString() ? '' : dateText(ms, nowMs);
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
