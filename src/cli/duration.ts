import { readDurationMs } from '../wire/duration.js';
import { CliError } from './errors/exit.js';

/** The longest delay of a Node timer, about 596 h; a timer with a longer one fires at once. */
const maxTimerMs = 2 ** 31 - 1;

/** Parses a duration that a timer can wait for, to milliseconds. @throws CliError USAGE */
export function durationMs(text: string, flag: string): number {
  const ms = anyDurationMs(text, flag);
  if (ms <= maxTimerMs) return ms;
  throw new CliError('USAGE', `${flag} may be at most ${Math.floor(maxTimerMs / 3_600_000)}h, not "${text}".`);
}

/** Parses `30s`, `500ms`, `1m30s` or bare seconds of any length, to milliseconds. @throws CliError USAGE */
export function anyDurationMs(text: string, flag: string): number {
  const given = text.trim();
  const ms = readDurationMs(/^[\d.]+$/.test(given) ? `${given}s` : given, 's');
  if (ms === undefined) {
    throw new CliError(
      'USAGE',
      `${flag} must be a duration like 30s, 500ms, 2m or a number of seconds, not "${text}".`,
    );
  }
  // Zero means no limit, so a shorter time than 1 ms must not become zero.
  return ms === 0 && /[1-9]/.test(given) ? 1 : ms;
}

/** A signal that aborts with a `TimeoutError` after this time; with 0 it never aborts. */
export function limitSignal(ms: number): AbortSignal {
  return ms === 0 ? new AbortController().signal : AbortSignal.timeout(ms);
}

/** Resolves with the result of a promise, or with undefined if that takes longer than the limit. */
export async function within<Result>(limitMs: number, promise: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, limitMs, undefined);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

const secondsPerUnit = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);

/** Parses `10/s`, `600/m` or a bare number per second, to messages per second. @throws CliError USAGE */
export function ratePerSecond(text: string): number {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/.exec(text.trim());
  const rate = Number(match?.[1] ?? 0) / (secondsPerUnit.get(match?.[2] ?? 's') ?? 1);
  if (rate > 0) return rate;
  throw new CliError('USAGE', `--rate must be like 10/s or 600/m, not "${text}".`);
}
