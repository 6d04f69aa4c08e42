import type { Clock } from '../ports/clock.js';
import { ServiceError } from '../wire/error.js';

const defaultDeadlineMs = 120_000;
const maxDeadlineMs = 600_000;
const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/**
 * Runs a request until the deadline of its `Request-Timeout` header (S §1.2): seconds or a duration, 120 s without one,
 * at most 10 minutes. What was accepted goes on after it.
 *
 * @throws ServiceError not_duration, deadline
 */
export async function untilDeadline(clock: Clock, header: string, work: () => Promise<void>): Promise<void> {
  const deadlineMs = header === '' ? defaultDeadlineMs : Math.min(parseDuration(header), maxDeadlineMs);
  const ended = new AbortController();
  const late = clock.sleep(deadlineMs, ended.signal).then(() => {
    if (!ended.signal.aborted) throw new ServiceError('deadline', { seconds: deadlineMs / 1_000 });
  });
  try {
    await Promise.race([work(), late]);
  } finally {
    ended.abort();
  }
}

function parseDuration(text: string): number {
  const [, digits, unit = 's'] = /^(\d{1,9})(ms|s|m)?$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw new ServiceError('not_duration', { field: 'Request-Timeout', actual: text });
  return Number(digits) * (unitMs[unit] ?? 1_000);
}
