export interface LiveState {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** The time of the last contact; milliseconds of `nodeNow()`. */
  readonly contactMs: number | undefined;
  /** The sequence after which events were skipped, because too many came while there was no connection. */
  readonly gapAfter: number | undefined;
  /** Whether the node answers, but refuses the credentials of this page. */
  readonly isRefused: boolean;
}

/** The change of state when the connection is lost. Only the loss of a live connection sets the last contact. */
export function lostAt({ connection, contactMs }: LiveState, nowMs: number): Partial<LiveState> {
  return { connection: 'lost', contactMs: connection === 'live' ? nowMs : contactMs };
}
