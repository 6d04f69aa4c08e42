import type { Cause } from './cause.js';

/** The state of a message or batch at one party, and the cause of its delay. */
export interface PartyView {
  readonly party: string;
  /** The state of the record; `absent` if the node has none, `away` if it does not answer. */
  readonly state: string;
  /** The time of the decision. */
  readonly decided?: string | undefined;
  /** Undefined if the party has decided. */
  readonly cause: Cause | undefined;
}

export function memberOf({ party, state, decided, cause }: PartyView): Readonly<Record<string, unknown>> {
  return { party, state, ...(decided !== undefined && { decided }), cause: cause ?? null };
}
