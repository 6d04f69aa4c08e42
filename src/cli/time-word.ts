import { durationMs } from './duration.js';
import { CliError } from './exit.js';

/**
 * `5m` = so long before `nowMs`, anything else a time; as an ISO time. `more` names what the flag also takes, each with
 * a comma behind it.
 *
 * @throws CliError USAGE
 */
export function timeWord(text: string, flag: string, nowMs: number, more = ''): string {
  if (/^[\d.]+(?:ms|s|m|h)$/.test(text)) return new Date(nowMs - durationMs(text, flag)).toISOString();
  const time = new Date(text);
  if (/^\d{4}-\d{2}/.test(text) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new CliError(
    'USAGE',
    `${flag} must be ${more}a duration like 10m or a time like 2026-01-31T12:00:00Z, not "${text}".`,
  );
}
