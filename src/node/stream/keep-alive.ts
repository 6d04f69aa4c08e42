import type { Clock } from '../../ports/clock.js';

export interface KeepAliveParts {
  readonly clock: Clock;
  /** Aborts when the socket is at its end. */
  readonly signal: AbortSignal;
  /** When the other end was last heard of, on the monotonic clock. */
  readonly heardMs: () => number;
  /** Since when it takes nothing although more waits than it may; undefined while it takes. */
  readonly stalledSinceMs: () => number | undefined;
  readonly ping: () => void;
  /** The other end is lost, or does not read. */
  readonly drop: () => void;
}

const pingEveryMs = 30_000;
const maxSilenceMs = 60_000;
const maxStallMs = 60_000;

/**
 * Watches over the other end of a socket: who is silent for a minute is gone, and his events go to the next (S §11.3,
 * assurance B14); who reads nothing for a minute is let go (S §11.5).
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
