import { anyDurationMs } from '../duration.js';
import { CliError } from '../errors/exit.js';

/**
 * Parses a duration such as `5m` before `nowMs`, or a time. Returns an ISO time. `more` names further accepted forms
 * for the error, each followed by a comma.
 *
 * @throws CliError USAGE
 */
export function timeWord(text: string, flag: string, nowMs: number, more = ''): string {
  if (/^(?:[\d.]+(?:ms|s|m|h))+$/.test(text)) return new Date(nowMs - anyDurationMs(text, flag)).toISOString();
  const time = new Date(text);
  if (/^\d{4}-\d{2}/.test(text) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new CliError(
    'USAGE',
    `${flag} must be ${more}a duration like 10m or a time like 2026-01-31T12:00:00Z, not "${text}".`,
  );
}
