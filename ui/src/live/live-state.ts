/** The connection to the node, as the page shows it. */
export interface LiveState {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** When the node was heard of last; milliseconds of `Date.now()`. */
  readonly contactMs: number | undefined;
  /** Sequence after which events were passed over, because too many came while there was no connection. */
  readonly gapAfter: number | undefined;
}

/** A connection that is lost was there until now; one that could not be made again changes nothing. */
export function lostAt({ connection, contactMs }: LiveState, nowMs: number): Partial<LiveState> {
  return { connection: 'lost', contactMs: connection === 'live' ? nowMs : contactMs };
}
