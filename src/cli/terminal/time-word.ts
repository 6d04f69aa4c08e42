import { lengthMs } from '../duration.js';
import { CliError } from '../errors/exit.js';

/**
 * Parses `5m` as a time before `nowMs`, anything else as a time; returns an ISO time. `more` names further accepted
 * forms for the error, each followed by a comma.
 *
 * @throws CliError USAGE
 */
export function timeWord(text: string, flag: string, nowMs: number, more = ''): string {
  if (/^(?:[\d.]+(?:ms|s|m|h))+$/.test(text)) return new Date(nowMs - lengthMs(text, flag)).toISOString();
  const time = new Date(text);
  if (/^\d{4}-\d{2}/.test(text) && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new CliError(
    'USAGE',
    `${flag} must be ${more}a duration like 10m or a time like 2026-01-31T12:00:00Z, not "${text}".`,
  );
}
