import { readDurationMs } from '../wire/duration.js';
import { CliError } from './errors/exit.js';

/** The longest time of Node's timers, about 596 h; one that is set for longer ends at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The same as `lengthMs` for something that is waited for. @throws CliError USAGE */
export function durationMs(text: string, flag: string): number {
  const ms = lengthMs(text, flag);
  if (ms <= maxTimerMs) return ms;
  throw new CliError('USAGE', `${flag} may be at most ${Math.floor(maxTimerMs / 3_600_000)}h, not "${text}".`);
}

/** Parses `30s`, `500ms`, `1m30s` or bare seconds, to milliseconds. @throws CliError USAGE */
export function lengthMs(text: string, flag: string): number {
  const given = text.trim();
  const ms = readDurationMs(/^[\d.]+$/.test(given) ? `${given}s` : given, 's');
  if (ms === undefined) {
    throw new CliError(
      'USAGE',
      `${flag} must be a duration like 30s, 500ms, 2m or a number of seconds, not "${text}".`,
    );
  }
  // Zero means no limit, so a shorter time does not become it.
  return ms === 0 && /[1-9]/.test(given) ? 1 : ms;
}

/** The signal of a timeout, which aborts with a `TimeoutError`; `0` = no timeout. */
export function limitSignal(ms: number): AbortSignal {
  return ms === 0 ? new AbortController().signal : AbortSignal.timeout(ms);
}

/** The result of a promise; undefined if it takes longer than a limit. */
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

const secondsOf = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3_600],
]);

/** Parses `10/s`, `600/m` or a bare number per second, to messages per second. @throws CliError USAGE */
export function ratePerSecond(text: string): number {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/.exec(text.trim());
  const rate = Number(match?.[1] ?? 0) / (secondsOf.get(match?.[2] ?? 's') ?? 1);
  if (rate > 0) return rate;
  throw new CliError('USAGE', `--rate must be like 10/s or 600/m, not "${text}".`);
}
