import { CliError } from './errors/exit.js';

const unitMs = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** The longest time of Node's timers, about 596 h; one that is set for longer ends at once. */
const maxTimerMs = 2 ** 31 - 1;

/** The same as `lengthMs` for something that is waited for. @throws CliError USAGE */
export function durationMs(text: string, flag: string): number {
  const ms = lengthMs(text, flag);
  if (ms <= maxTimerMs) return ms;
  throw new CliError('USAGE', `${flag} may be at most ${Math.floor(maxTimerMs / 3_600_000)}h, not "${text}".`);
}

/** Parses `30s`, `500ms`, `2m`, `1h` or bare seconds, to milliseconds. @throws CliError USAGE */
export function lengthMs(text: string, flag: string): number {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|)$/.exec(text.trim());
  const unit = unitMs.get(match?.[2] ?? '?');
  if (match === null || unit === undefined) {
    throw new CliError(
      'USAGE',
      `${flag} must be a duration like 30s, 500ms, 2m or a number of seconds, not "${text}".`,
    );
  }
  return Math.round(Number(match[1]) * unit);
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

/** Parses `10/s`, `600/m` or a bare number per second, to messages per second. @throws CliError USAGE */
export function ratePerSecond(text: string): number {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(?:\/(s|m|h))?$/.exec(text.trim());
  const rate = Number(match?.[1] ?? 0) / ((unitMs.get(match?.[2] ?? 's') ?? 1_000) / 1_000);
  if (rate > 0) return rate;
  throw new CliError('USAGE', `--rate must be like 10/s or 600/m, not "${text}".`);
}
