/** Timeouts of the data exchange. None limits a whole transfer, which may take any time as long as it progresses. */
export interface Timeouts {
  /** Until a connection is established and its key proved. */
  readonly connectMs: number;
  /** Without a byte of an expected body. */
  readonly idleMs: number;
  /** Without a response, which may need work or writing to disk. */
  readonly silenceMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 10_000, idleMs: 30_000, silenceMs: 120_000 };
