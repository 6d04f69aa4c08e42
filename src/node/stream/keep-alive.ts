import type { Clock } from '../../ports/clock.js';

export interface KeepAliveParts {
  readonly clock: Clock;
  /** Aborts when the socket closes. */
  readonly signal: AbortSignal;
  /** Time of the last sign of life, on the monotonic clock. */
  readonly heardMs: () => number;
  /** Time since which nothing was sent although the buffer is full; undefined if it is not. */
  readonly stalledSinceMs: () => number | undefined;
  readonly ping: () => void;
  /** Drops a client that is lost or does not read. */
  readonly drop: () => void;
}

const pingEveryMs = 30_000;
const maxSilenceMs = 60_000;
const maxStallMs = 60_000;

/**
 * Watches the client of a socket: one that is silent for a minute is considered gone, and its events go to the next
 * (docs/api.md §15.3); one that reads nothing for a minute is disconnected (docs/api.md §15.5).
 */
export async function keepAlive(parts: KeepAliveParts): Promise<void> {
  const { clock, signal, heardMs, stalledSinceMs, ping, drop } = parts;
  let nextPingMs = clock.monotonicMs() + pingEveryMs;
  while (!signal.aborted) {
    const stalledMs = stalledSinceMs();
    const deadlines = [heardMs() + maxSilenceMs, ...(stalledMs === undefined ? [] : [stalledMs + maxStallMs])];
    const nowMs = clock.monotonicMs();
    if (deadlines.some((deadlineMs) => deadlineMs <= nowMs)) {
      drop();
      return;
    }
    if (nextPingMs <= nowMs) {
      ping();
      nextPingMs = nowMs + pingEveryMs;
    }
    await clock.sleep(Math.min(nextPingMs, ...deadlines) - nowMs, signal);
  }
}
