/** How long the data exchange waits for a peer. None is for a whole: what moves may take as long as it takes. */
export interface Timeouts {
  /** Until a connection is there and its key proved. */
  readonly connectMs: number;
  /** Without a byte of a body that is due. */
  readonly idleMs: number;
  /** Without a sign of a peer that is to answer, and may have to think or to write to its disk. */
  readonly silenceMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 10_000, idleMs: 30_000, silenceMs: 120_000 };
