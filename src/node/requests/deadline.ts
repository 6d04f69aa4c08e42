import type { Clock } from '../../ports/clock.js';
import { readDurationMs } from '../../wire/duration.js';
import { ServiceError } from '../../wire/errors/error.js';

const defaultDeadlineMs = 120_000;
const maxDeadlineMs = 600_000;
/**
 * The reason with which the signal of a request is aborted: an explicit one avoids the stack trace of a default one.
 */
const over = 'over';

/** The deadline of a request. */
export interface Deadline {
  /** Aborted when the request is over: timed out, or the client has disconnected. */
  readonly signal: AbortSignal;
  /** Marks that the request now waits for the outcome of accepted work; a timeout is then FF10260. */
  waits(): void;
}

/**
 * Runs a request until the deadline of its `Request-Timeout` header (docs/api.md §2): seconds or a duration, default
 * 120 s, at most 10 minutes. Accepted work continues afterwards. If `left` aborts, the client has disconnected, and
 * waits end.
 *
 * @throws ServiceError not_duration, deadline, confirmation_late
 */
export async function untilDeadline(
  clock: Clock,
  { header, left }: { readonly header: string; readonly left?: AbortSignal },
  work: (deadline: Deadline) => Promise<void>,
): Promise<void> {
  const deadlineMs = header === '' ? defaultDeadlineMs : Math.min(parseDuration(header), maxDeadlineMs);
  const ended = new AbortController();
  const end = () => ended.abort(over);
  left?.addEventListener('abort', end, { once: true });
  let isWaiting = false;
  const isLate = () => new ServiceError('deadline', { seconds: deadlineMs / 1_000 });
  const late = new Promise<never>((_, reject) => {
    void clock.sleep(deadlineMs, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      reject(isWaiting ? new ServiceError('confirmation_late') : isLate());
    });
  });
  try {
    await Promise.race([work({ signal: ended.signal, waits: () => void (isWaiting = true) }), late]);
  } catch (error) {
    // Work that stopped because the client has disconnected; nobody reads this response.
    throw error === over ? isLate() : error;
  } finally {
    left?.removeEventListener('abort', end);
    end();
  }
}

function parseDuration(text: string): number {
  const durationMs = readDurationMs(text.trim(), 's');
  if (durationMs === undefined) throw new ServiceError('not_duration', { field: 'Request-Timeout', actual: text });
  return durationMs;
}
